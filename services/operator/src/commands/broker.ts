import { BrokerStatus, type Broker } from '@pfq/proto/gateway/v1/admin_pb';
import type { Command } from 'commander';
import { present } from '../failure.ts';
import { answerList, answerObject, toIsoTime, type Row } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';
import { brokerStatusWord } from '../words.ts';

const LIST_COLUMNS = ['id', 'email', 'name', 'status', 'created_at'];

const REGISTERING = [
  { verb: 'create', status: BrokerStatus.ACTIVE, summary: 'register a broker who can own quotes at once' },
  { verb: 'invite', status: BrokerStatus.INVITED, summary: 'register a broker who cannot own quotes until activated' },
];
const CHANGING = [
  { verb: 'activate', status: BrokerStatus.ACTIVE, summary: 'let a broker own quotes, from the next request on' },
  { verb: 'deactivate', status: BrokerStatus.INACTIVE, summary: 'stop a broker from owning new quotes, at once' },
];

type Person = { agency: string; email: string };

export function addBrokerCommands(program: Command, context: Context): void {
  const broker = addNoun(program, 'broker', "an agency's brokers");

  for (const { verb, status, summary } of REGISTERING) {
    const example = `${verb} --agency agy_0UzKdPq3aXb81Lm2RtWc9Z --email ana@lonestar.example --name "Ana Ruiz"`;
    addPersonVerb(broker, { usage: verb, summary, example })
      .requiredOption('--name <name>', 'name for people')
      .action(
        answering(context, async ({ agency, email, name }: Person & { name: string }) => {
          const { agencies } = await context.clients();
          const { broker: added } = await agencies.registerBroker({ agencyId: agency, email, name, status });
          return answerObject(toRow(present(added)));
        }),
      );
  }

  for (const { verb, status, summary } of CHANGING) {
    const example = `${verb} --agency agy_0UzKdPq3aXb81Lm2RtWc9Z --email ana@lonestar.example`;
    addPersonVerb(broker, { usage: verb, summary, example }).action(
      answering(context, async ({ agency, email }: Person) => {
        const { agencies } = await context.clients();
        const { broker: changed } = await agencies.setBrokerStatus({ agencyId: agency, email, status });
        return answerObject(toRow(present(changed)));
      }),
    );
  }

  addVerb(broker, {
    usage: 'list',
    summary: "list an agency's brokers, oldest first",
    example: 'list --agency agy_0UzKdPq3aXb81Lm2RtWc9Z',
  })
    .requiredOption('--agency <id>', 'whose brokers')
    .action(
      answering(context, async ({ agency }: { agency: string }) => {
        const { agencies } = await context.clients();
        const { brokers } = await agencies.listBrokers({ agencyId: agency });
        return answerList(brokers.map(toRow), LIST_COLUMNS);
      }),
    );
}

function addPersonVerb(broker: Command, described: Parameters<typeof addVerb>[1]): Command {
  return addVerb(broker, described)
    .requiredOption('--agency <id>', 'the agency')
    .requiredOption('--email <email>', "the broker's email address");
}

function toRow(broker: Broker): Row {
  return {
    id: broker.id,
    agency_id: broker.agencyId,
    email: broker.email,
    name: broker.name,
    status: brokerStatusWord(broker.status),
    created_at: toIsoTime(broker.createdAt),
  };
}
