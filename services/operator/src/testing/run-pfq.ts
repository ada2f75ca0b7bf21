import { runCommand } from '../cli.ts';
import type { Connection } from '../connection.ts';

export type Ran = {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
  /** Every line of progress that a terminal would have shown, the last of them empty. */
  readonly progress: readonly string[];
};

/** Runs one command in this process against the services of `connection`. */
export async function runPfq(connection: Connection, { args, folder }: { args: readonly string[]; folder: string }) {
  const { gatewayUrl, pricingUrl, applicationUrl, notificationUrl, token } = connection;
  return runPfqIn({
    args,
    folder,
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
export async function runPfqIn(call: {
  args: readonly string[];
  folder: string;
  environment: Readonly<Record<string, string>>;
}): Promise<Ran> {
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
    showProgress: (line) => progress.push(line),
  });
  return { exitCode, output, errors, progress };
}
