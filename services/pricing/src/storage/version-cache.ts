/**
 * Remembers what the `limit` versions used last said. A version never changes, so what was read once holds for ever;
 * callers that want the same version at once share one read, and a read that fails is not remembered.
 */
export function cacheVersions<Version, T>(
  limit: number,
  read: (version: Version) => Promise<T>,
): (version: Version) => Promise<T> {
  const known = new Map<Version, Promise<T>>();
  return (version) => {
    const found = known.get(version) ?? forgetOnFailure(version);
    known.delete(version);
    known.set(version, found);
    for (const oldest of known.keys()) {
      if (known.size <= limit) break;
      known.delete(oldest);
    }
    return found;
  };

  async function forgetOnFailure(version: Version): Promise<T> {
    try {
      return await read(version);
    } catch (error) {
      known.delete(version);
      throw error;
    }
  }
}
