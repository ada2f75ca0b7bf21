import { ServiceError } from '@pfq/kit/errors';

/** What is refused, in the service's own words. */
export function refusalOf(ask: () => unknown): ServiceError {
  try {
    ask();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('what an example asks was not refused');
}
