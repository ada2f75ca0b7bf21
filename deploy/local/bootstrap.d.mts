export function chooseNode(host: {
  platform: string;
  arch: string;
  version: string;
}): { carried: string } | { own: true } | { refusal: string };

export function fingerprint(host: { lockfile: string | Uint8Array; platform: string; arch: string }): string;

export function installOnce(installation: {
  root: string;
  wanted: string;
  install: () => void | Promise<void>;
}): Promise<void>;
