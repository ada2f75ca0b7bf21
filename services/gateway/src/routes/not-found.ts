import { ServiceError } from '@pfq/kit/errors';

/** The one answer for an unknown path and for a thing that is missing, malformed or hidden, so that none tells more. */
export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', {
    message: 'There is nothing here, or this key cannot see it. Check the path, the id and the mode of the key.',
  });
}
