type Meaning = { readonly find: RegExp; readonly means: string };

/** How grpc-js words that no address of a name could be connected with: once for each of its layers. */
const NO_CONNECTION =
  /^(?:round_robin: )?(?:No connection established\. Last error: )+(?<reason>[^]*?)(?:\. Resolution note: )?$/;

/** grpc-js's words for a connection that was made, and closed before the other side said anything: it knows of no error then. */
const CLOSED_UNHEARD = /^(?:null$|Failed to connect)/;

/** What OpenSSL and Node say where TLS is to blame; the first that fits. */
const MEANINGS: readonly Meaning[] = [
  { find: /alert certificate required/, means: 'the other side demands a certificate and got none' },
  { find: /wrong version number|packet length too long/i, means: 'the other side does not speak TLS' },
  { find: /altnames/, means: "the other side's certificate is for another name" },
  { find: /certificate has expired/, means: "the other side's certificate, or its authority's, has ended" },
  {
    find: /self-signed|issuer|unable to verify/,
    means: "the other side's certificate is of an authority that we do not trust",
  },
  { find: /certificate|\bSSL\b|\bTLS\b/, means: 'the handshake failed' },
];

/** What grpc-js tells of a failed call, for the log and `/readyz`: where TLS kept it from being made, that comes first. */
export function explainConnection(details: string, { isEncrypted }: { readonly isEncrypted: boolean }): string {
  const reason = NO_CONNECTION.exec(details)?.groups?.['reason']?.trim();
  if (reason === undefined) return details;
  // A server of Node says nothing to a caller whose certificate it refuses.
  if (CLOSED_UNHEARD.test(reason)) {
    return isEncrypted
      ? 'TLS: the other side closes the connection after the handshake: it refuses our certificate'
      : 'no connection: the other side closes it at once, as one does that demands TLS';
  }
  return (isEncrypted ? tlsFault(reason) : undefined) ?? `no connection: ${reason}`;
}

/** What is wrong where TLS is to blame for a failed connection; undefined where it is not. */
export function tlsFault(reason: string): string | undefined {
  const meaning = MEANINGS.find(({ find }) => find.test(reason));
  return meaning && `TLS: ${meaning.means} (${reason.trim()})`;
}
