import type { RunningStack } from './stack.ts';

/** Where the mail catcher of a stack is. */
type WithMail = { readonly file: Pick<RunningStack['file'], 'mail_url'> };

/** A mail as the mail catcher of a stack tells of it. */
export type CaughtMail = {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly message_id: string;
  readonly text: string;
  readonly html: string;
};

/** Every mail that names this quote, newest first. */
export async function mailsAbout(stack: WithMail, quoteId: string): Promise<readonly CaughtMail[]> {
  return (await everyMail(stack)).filter(({ text }) => text.includes(quoteId));
}

export async function everyMail({ file }: WithMail): Promise<readonly CaughtMail[]> {
  const response = await fetch(`${file.mail_url}/messages.json`);
  const { data } = await response.json();
  return data;
}
