import { runCommand } from '@pfq/operator/cli';
import type { RunningStack } from './stack.ts';

type Said = { readonly code: number; readonly output: string; readonly errors: string };

/** A stack, or whatever else tells where its services are. */
type Reachable = Pick<RunningStack, 'folder'> & { readonly file: Pick<RunningStack['file'], 'operator'> };

/** `pfq … --json` within this process: one of its own for each command would take ten times as long. `tlsDir` are certificates. */
export function pfqOf({ file, folder }: Reachable, { tlsDir = '' }: { readonly tlsDir?: string } = {}) {
  return async (words: readonly string[], token = file.operator.token): Promise<Said> => {
    let [output, errors] = ['', ''];
    const code = await runCommand([...words, '--json'], {
      environment: {
        PFQ_OPERATOR_GATEWAY_URL: file.operator.gateway_url,
        PFQ_OPERATOR_PRICING_URL: file.operator.pricing_url,
        PFQ_OPERATOR_APPLICATION_URL: file.operator.application_url,
        PFQ_OPERATOR_NOTIFICATION_URL: file.operator.notification_url,
        PFQ_OPERATOR_TOKEN: token,
        PFQ_OPERATOR_TLS_DIR: tlsDir,
      },
      workingFolder: folder,
      projectFolder: folder,
      actor: 'tests',
      write: (text) => (output += text),
      writeError: (text) => (errors += text),
      showProgress: () => {},
      whenToldToStop: () => () => {},
    });
    return { code, output, errors };
  };
}
