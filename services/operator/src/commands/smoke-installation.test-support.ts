import { createServer, type IncomingMessage } from 'node:http';
import { after, afterEach, before } from 'node:test';

/** `meanwhile` is called before the answer is sent. */
type Answered = { readonly status: number; readonly body: object | string; readonly meanwhile?: () => void };

/** The public side of an installation over memory, API and hosted pages on one port. */
export type Installation = {
  readonly url: () => string;
  /** `POST /v1/quotes` and the like of everything that was asked, and with which key. */
  readonly asked: { readonly place: string; readonly authorization: string | undefined }[];
  /** What is answered otherwise than it should be, by place. */
  readonly answers: Map<string, Answered>;
};

const OPTION = {
  id: 'opt_25_10',
  term_months: 10,
  down_payment: '5107.81',
  amount_financed: '15323.44',
  monthly_payment: '1560.00',
  finance_charge: '276.56',
  total_of_payments: '15600.00',
  total_cost: '20707.81',
};

/** As the API answers, as far as the test looks. */
export const QUOTE = {
  id: 'qte_0000000000000000000001',
  livemode: false,
  hosted_url: 'https://quotes.example/below/q/token-of-the-fake',
  totals: { total: '20431.25' },
  eligibility: { status: 'eligible', reasons: [] },
  options: [OPTION],
};

export const PLACES = {
  whoami: 'GET /v1/whoami',
  create: 'POST /v1/quotes',
  read: `GET /v1/quotes/${QUOTE.id}`,
  page: 'GET /below/q/token-of-the-fake',
};

const RIGHT: ReadonlyMap<string, Answered> = new Map([
  [PLACES.whoami, { status: 200, body: { livemode: false, api_version: '2026-09-23' } }],
  [PLACES.create, { status: 201, body: QUOTE }],
  [PLACES.read, { status: 200, body: { ...QUOTE, hosted_url: null } }],
  [PLACES.page, { status: 200, body: '<p>Smoke Test Roofing LLC</p><input value="opt_25_10">' }],
]);

const NOTHING: Answered = { status: 404, body: 'nothing here' };

/** An installation for all tests of a file, which answers right but where a test says otherwise. */
export function useInstallation(): Installation {
  const asked: { place: string; authorization: string | undefined }[] = [];
  const answers = new Map<string, Answered>();
  const server = createServer((request, response) => {
    const place = placeOf(request);
    asked.push({ place, authorization: request.headers.authorization });
    const { status, body, meanwhile } = answers.get(place) ?? RIGHT.get(place) ?? NOTHING;
    meanwhile?.();
    response.writeHead(status, { 'Request-Id': 'req_of_the_fake' });
    request.resume().on('end', () => response.end(typeof body === 'string' ? body : JSON.stringify(body)));
  });
  let url = '';
  before(async () => {
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    if (address !== null && typeof address === 'object') url = `http://127.0.0.1:${address.port}`;
  });
  afterEach(() => {
    asked.length = 0;
    answers.clear();
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: () => url, asked, answers };
}

function placeOf({ method, url }: IncomingMessage): string {
  return `${method} ${url}`;
}
