import { DETAIL_CODES } from '@pfq/kit/detail-codes';
import { ERROR_CODES } from '@pfq/kit/error-codes';
import { SCOPES } from '../domain/scopes.ts';
import type { Schema } from './document-types.ts';
import {
  day,
  described,
  id,
  listOf,
  object,
  oneOfMany,
  refTo,
  text,
  webAddress,
  word,
  yesOrNo,
} from './schema-words.ts';

const ERROR_TYPES = [...new Set(Object.values(ERROR_CODES).map(({ type }) => type))];

const error = object(
  {
    type: oneOfMany(ERROR_TYPES, 'What kind of error; handle a code that you do not know by it and by the status.'),
    code: oneOfMany(Object.keys(ERROR_CODES), 'What happened; branch on it.'),
    message: text('What is wrong and what to do, for people; its wording may change.'),
    param: text('The request field concerned; of several, the first.'),
    doc_url: webAddress('Where the code is explained.'),
    request_id: id('req_', 22, 'The Request-Id of the request that failed. Quote it to support.'),
    details: listOf(refTo('ErrorDetail'), 'Every problem of a request that failed validation.'),
  },
  { sometimes: ['param', 'details'] },
);

const detail = object(
  {
    code: oneOfMany(Object.keys(DETAIL_CODES), 'What kind of problem.'),
    param: text('The field concerned, such as policies[0].premium; absent where the whole body is meant.'),
    message: text('What is wrong, for people; its wording may change.'),
  },
  { sometimes: ['param'] },
);

const coverageType = object({
  type: text('What requests name.', { pattern: '^[a-z_]+$' }),
  name: text('What people call it.'),
  definition: text('What it insures.'),
  aliases: listOf({ type: 'string' }, 'Other names in the trade, to map your own lines from.'),
  flags: listOf(
    oneOfMany(['verify_minimum_earned'], 'verify_minimum_earned: such policies often earn more at once than quoted.'),
    'What to mind.',
  ),
});

const whoami = object({
  object: word('whoami', 'The kind of object.'),
  livemode: yesOrNo('True for a live key, false for a test key.'),
  brokerage: object({ name: text('The agency that the key belongs to.') }),
  acting_broker: object({ email: text("The key's default broker."), name: text('Their name.') }),
  api_key: object({
    type: oneOfMany(['agency', 'broker'], 'Whether the key acts for the whole agency or for its broker alone.'),
    scopes: listOf(oneOfMany(SCOPES, 'What the key may do.'), 'Every scope granted to the key.'),
  }),
  api_version: day('The API version that served the request.'),
});

export const COMMON_SCHEMAS: Readonly<Record<string, Schema>> = {
  CoverageTypeList: object({
    object: word('list', 'The kind of object.'),
    data: listOf(refTo('CoverageType'), 'Every coverage type.'),
  }),
  CoverageType: described('A line of cover that a policy can have.', coverageType),
  Whoami: described('What a key is, and whom it acts as.', whoami),
  Error: described('What every error is answered with, but for a 405.', object({ error })),
  ErrorDetail: described('One problem of a request.', detail),
};
