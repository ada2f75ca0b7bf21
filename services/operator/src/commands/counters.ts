import type { Command } from 'commander';
import { answerChange } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';

export function addCountersCommands(program: Command, context: Context): void {
  const counters = addNoun(program, 'counters', 'what a key has used of its limits');

  addVerb(counters, {
    usage: 'reset',
    summary: "set a key's requests and quotes to zero and take its quotes off its agency's, from the next request on",
    example: 'reset --key key_0UzKdPq3aXb81Lm2RtWc9Z',
  })
    .requiredOption('--key <id>', 'whose counters')
    .action(
      answering(context, async ({ key }: { key: string }) => {
        const { requests } = await context.clients();
        const { keyId: id, requestsThisMinute, quotesToday } = await requests.resetCounters({ keyId: key });
        return answerChange(
          { id, requests_this_minute: requestsThisMinute, quotes_today: quotesToday },
          `${id} starts from zero: it had made ${requestsThisMinute} requests this minute and ${quotesToday} quotes today.`,
        );
      }),
    );
}
