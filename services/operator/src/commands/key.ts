import type { Key } from '@pfq/proto/gateway/v1/admin_pb';
import { Option, type Command } from 'commander';
import { present } from '../failure.ts';
import { answerList, answerObject, toIsoTime, type Row } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';
import { KEY_TYPES, keyTypeWord, MODES, modeWord, parseLastDay, SCOPES } from '../words.ts';

const LIST_COLUMNS = ['id', 'mode', 'type', 'broker_email', 'name', 'expires_on', 'revoked_at', 'created_at', 'scopes'];

type NewKey = {
  agency: string;
  mode: keyof typeof MODES;
  type: keyof typeof KEY_TYPES;
  broker: string;
  scopes: string;
  name: string;
  expires?: string;
};

export function addKeyCommands(program: Command, context: Context): void {
  const key = addNoun(program, 'key', "an agency's API keys");
  addKeyCreate(key, context);

  addVerb(key, {
    usage: 'list',
    summary: "list an agency's keys, oldest first, without their secrets",
    example: 'list --agency agy_0UzKdPq3aXb81Lm2RtWc9Z',
  })
    .requiredOption('--agency <id>', 'whose keys')
    .action(
      answering(context, async ({ agency }: { agency: string }) => {
        const { agencies } = await context.clients();
        const { keys } = await agencies.listKeys({ agencyId: agency });
        return answerList(keys.map(toRow), LIST_COLUMNS);
      }),
    );

  addVerb(key, {
    usage: 'revoke <id>',
    summary: 'end a key for ever, from the next request on',
    example: 'revoke key_0UzKdPq3aXb81Lm2RtWc9Z',
  }).action(
    answering(context, async (id: string) => {
      const { agencies } = await context.clients();
      const { key: revoked } = await agencies.revokeKey({ keyId: id });
      return answerObject(toRow(present(revoked)));
    }),
  );
}

function addKeyCreate(key: Command, context: Context): void {
  addVerb(key, {
    usage: 'create',
    summary: 'make a key and show it, this once',
    example:
      'create --agency agy_0UzKdPq3aXb81Lm2RtWc9Z --mode test --type agency \\\n' +
      '    --broker ana@lonestar.example --scopes quotes:write,quotes:read --name "Rating engine"',
  })
    .requiredOption('--agency <id>', 'the agency')
    .addOption(new Option('--mode <mode>', 'live or test').choices(Object.keys(MODES)).makeOptionMandatory())
    .addOption(
      new Option('--type <type>', 'agency: acts for any active broker; broker: for its own only')
        .choices(Object.keys(KEY_TYPES))
        .makeOptionMandatory(),
    )
    .requiredOption('--broker <email>', 'the broker it acts for unless told otherwise')
    .requiredOption('--scopes <list>', `what it may do, with commas between: ${SCOPES.join(',')}`)
    .requiredOption('--name <name>', 'name for people')
    .option('--expires <date>', 'last day (UTC) on which it works, YYYY-MM-DD', parseLastDay)
    .action(
      answering(context, async ({ agency, mode, type, broker, scopes, name, expires }: NewKey) => {
        const { agencies } = await context.clients();
        const { key: made, secret } = await agencies.createKey({
          agencyId: agency,
          mode: MODES[mode],
          type: KEY_TYPES[type],
          brokerEmail: broker,
          scopes: scopes.split(',').map((scope) => scope.trim()),
          name,
          ...(expires !== undefined && { expiresOn: expires }),
        });
        const { id, ...rest } = toRow(present(made));
        return answerObject({ id: present(id), key: secret, ...rest }, 'Keep the key now: it cannot be shown again.');
      }),
    );
}

function toRow(key: Key): Row {
  return {
    id: key.id,
    agency_id: key.agencyId,
    mode: modeWord(key.mode),
    type: keyTypeWord(key.type),
    broker_email: key.brokerEmail,
    scopes: key.scopes,
    name: key.name,
    expires_on: key.expiresOn ?? null,
    revoked_at: toIsoTime(key.revokedAt),
    created_at: toIsoTime(key.createdAt),
  };
}
