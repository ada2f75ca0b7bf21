// Run in a pod of its own: a mail server that takes everything, and prints a line of JSON for each message.
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A line for each mail that came: the quote that it is about, and the id under which it is one mail however often it comes. */
export type MailLine = { readonly quote: string; readonly message_id: string };

const REPLIES: Readonly<Record<string, string>> = {
  EHLO: '250 mail',
  HELO: '250 mail',
  DATA: '354 go on',
  QUIT: '221 bye',
};

createServer(serve).listen(2525, '0.0.0.0');

function serve(socket: Socket): void {
  let message: string[] | null = null;
  const say = (reply: string) => void socket.write(`${reply}\r\n`);
  const read = (line: string) => {
    if (message === null) {
      const command = line.slice(0, 4).toUpperCase();
      say(REPLIES[command] ?? '250 ok');
      if (command === 'DATA') message = [];
      if (command === 'QUIT') socket.end();
    } else if (line === '.') {
      tell(message);
      message = null;
      say('250 taken');
    } else message.push(line);
  };
  // Probes hang up without a word.
  const goOn = () => {};
  createInterface({ input: socket.on('error', goOn), crlfDelay: Infinity })
    .on('error', goOn)
    .on('line', read);
  say('220 mail');
}

function tell(lines: readonly string[]): void {
  // Long lines of quoted-printable are broken by an equals sign.
  const text = lines.join('\n').replaceAll('=\n', '');
  const line: MailLine = {
    quote: /qte_\w{22}/.exec(text)?.[0] ?? '',
    message_id: /^message-id:\s*(\S+)/im.exec(text)?.[1] ?? '',
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
