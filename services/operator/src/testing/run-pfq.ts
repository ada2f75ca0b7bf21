import { runCommand, type Surroundings } from '../cli.ts';
import type { Connection } from '../connection.ts';

export type Ran = {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
  /** Every line of progress that a terminal would have shown, the last of them empty. */
  readonly progress: readonly string[];
};

type Call = {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What a command does that wants to know when it is told to stop; without it nobody tells. */
  readonly whenToldToStop?: Surroundings['whenToldToStop'];
};

/** Runs one command in this process against the services of `connection`. */
export async function runPfq(connection: Connection, call: Omit<Call, 'environment'>): Promise<Ran> {
  const { gatewayUrl, pricingUrl, applicationUrl, notificationUrl, token } = connection;
  return runPfqIn({
    ...call,
    environment: {
      PFQ_OPERATOR_GATEWAY_URL: gatewayUrl,
      PFQ_OPERATOR_PRICING_URL: pricingUrl,
      PFQ_OPERATOR_APPLICATION_URL: applicationUrl,
      PFQ_OPERATOR_NOTIFICATION_URL: notificationUrl,
      PFQ_OPERATOR_TOKEN: token,
    },
  });
}

/** Runs one command in this process under the given environment, as if called from `folder`. */
export async function runPfqIn(call: Call): Promise<Ran> {
  let output = '';
  let errors = '';
  const progress: string[] = [];
  const exitCode = await runCommand(call.args, {
    environment: call.environment,
    workingFolder: call.folder,
    projectFolder: call.folder,
    actor: 'Ana',
    write: (text) => (output += text),
    writeError: (text) => (errors += text),
    whenToldToStop: call.whenToldToStop ?? (() => () => {}),
    showProgress: (line) => progress.push(line),
  });
  return { exitCode, output, errors, progress };
}
