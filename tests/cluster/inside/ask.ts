// Run in the callers' pod: sends standard input to their control port and prints the answer. `ask.ts PATH`
import { text } from 'node:stream/consumers';

const response = await fetch(`http://127.0.0.1:8090/${process.argv[2] ?? ''}`, {
  method: 'POST',
  body: await text(process.stdin),
});
process.stdout.write(await response.text());
process.exitCode = response.ok ? 0 : 1;
