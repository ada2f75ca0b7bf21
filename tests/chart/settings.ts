import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readConfig } from '@pfq/kit/config';
import { findConnection } from '@pfq/operator/connection';
import { PROGRAM_SETTINGS } from '../support/program-settings.ts';
import { EVERY_SHAPE, render, type Choices } from './render.ts';
import { secretFilesOf, variablesOf } from './told.ts';

const LONG = 'x'.repeat(32);
/** What a file holds, by the variable that names it; a database is told by its engine. */
const SECRETS: Readonly<Record<string, string>> = {
  OPERATOR_TOKEN: LONG,
  KEY_PEPPER: LONG,
  ANSWER_SECRETS: `${LONG},${LONG}`,
  REVIEW_SECRETS: LONG,
  SMTP_URL: 'smtp://user:password@mail.example:587',
  EVENTS_URL: 'kafkas://user:password@kafka.example:9093',
  DATABASE_URL: 'postgres://role@database.example/name',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
};
/** Of Node itself. */
const NODES_OWN = ['NODE_EXTRA_CA_CERTS'];
const CERTIFICATES = '/etc/pfq/tls';

/** What each pod is told, held against what its program reads. */
export function settings(): void {
  for (const shape of EVERY_SHAPE) {
    it(`${shape}: every program is told all that it must know, and nothing that it does not know`, () =>
      everyProgramReads({ shape }));

    it(`${shape}: no secret is a variable: each is a file, and there`, async () => {
      const rendered = await render({ shape });
      for (const pod of rendered.pods) {
        const given = variablesOf(rendered, pod);
        const known = Object.values(PROGRAM_SETTINGS[pod.component] ?? {});
        const secret = known.filter((setting) => setting.secret && setting.variable in given);
        // The address of another service is of the kind that may hold a password, and holds none.
        const told = secret.map(({ variable }) => given[variable] ?? '');
        assert.deepEqual(
          told.filter((value) => !value.startsWith('grpc://')),
          [],
          pod.component,
        );
        assert.ok((pod.container.env ?? []).every(({ valueFrom }) => valueFrom === undefined));
        const named = Object.entries(given).filter(([name]) => name.endsWith('_FILE'));
        assert.deepEqual(
          named.map(([, file]) => file).sort(),
          secretFilesOf(pod)
            .map((file) => file.path)
            .filter((file) => !file.endsWith('/API_KEY'))
            .sort(),
          `${pod.component} reads every file that it has`,
        );
      }
    });
  }

  it('certificates of a private authority are believed by every program that leaves the release', () =>
    everyProgramReads({ values: { trustedAuthorities: { configMap: 'authorities' } } }));

  it('pfq is told where every service is that it asks', async () => {
    const rendered = await render({ shape: 'minimal' });
    const smoke = rendered.pods.find(({ component }) => component === 'smoke');
    assert.ok(smoke);
    const { PFQ_OPERATOR_TOKEN_FILE, ...environment } = variablesOf(rendered, smoke);
    assert.deepEqual(secretFilesOf(smoke), [{ path: PFQ_OPERATOR_TOKEN_FILE, secret: 'pfq', key: 'operator-token' }]);
    const place = { environment: { ...environment, PFQ_OPERATOR_TOKEN: LONG }, workingFolder: '/', projectFolder: '/' };
    const { gatewayUrl, pricingUrl, applicationUrl, notificationUrl } = await findConnection(place);
    assert.deepEqual(
      [gatewayUrl, pricingUrl, applicationUrl, notificationUrl],
      [
        'grpc://pfq-gateway:9090',
        'grpc://pfq-pricing:9090',
        'grpc://pfq-application:9090',
        'grpc://pfq-notification:9090',
      ],
    );
  });

  it('a setting that has no value of its own is set by `environment`, for all or for one', async () => {
    const values = {
      defaults: { environment: { LOG_FORMAT: 'pretty' } },
      gateway: { environment: { REQUEST_TIMEOUT_MS: '5000' } },
    };
    const rendered = await render({ values });
    for (const pod of rendered.pods.filter(({ component }) => /^(gateway|pricing)$/.test(component))) {
      const { LOG_FORMAT, REQUEST_TIMEOUT_MS } = variablesOf(rendered, pod);
      assert.equal(LOG_FORMAT, 'pretty');
      assert.equal(REQUEST_TIMEOUT_MS, pod.component === 'gateway' ? '5000' : undefined);
    }
  });

  it('pods of a service are made anew when a variable of theirs changes, and of no other', async () => {
    const [before, after] = await Promise.all([render(), render({ values: { gateway: { requestLogDays: 7 } } })]);
    const changed = before.pods.filter(({ component, annotations }) => {
      const now = after.pods.find((pod) => pod.component === component);
      return now?.annotations['checksum/variables'] !== annotations['checksum/variables'];
    });
    assert.deepEqual(
      changed.map(({ component }) => component),
      ['gateway'],
    );
  });
}

/** Reads the configuration as each program would, with something in place of every file. */
async function everyProgramReads(choices: Choices): Promise<void> {
  const rendered = await render(choices);
  for (const pod of rendered.pods.filter(({ component }) => component !== 'smoke')) {
    const settingsOfPod = PROGRAM_SETTINGS[pod.component];
    assert.ok(settingsOfPod, pod.component);
    const { RPC_TLS_DIR = CERTIFICATES, ...told } = variablesOf(rendered, pod);
    assert.equal(RPC_TLS_DIR, CERTIFICATES);
    const environment = Object.fromEntries(
      Object.entries(told).map(([name, value]) => {
        const variable = name.replace(/_FILE$/, '');
        return variable === name ? [name, value] : [variable, SECRETS[variable]];
      }),
    );
    const known = Object.values(settingsOfPod).map(({ variable }) => variable);
    assert.deepEqual(
      Object.keys(environment).filter((name) => ![...known, ...NODES_OWN].includes(name)),
      [],
      `${pod.component} knows every variable`,
    );
    assert.doesNotThrow(() => readConfig(settingsOfPod, environment), pod.component);
  }
}
