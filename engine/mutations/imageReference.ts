/** A container image as its parts: `registry:5000/team/app:1.2@sha256:…`. */
export interface ImageReference {
  /** With the registry, as far as it is written. */
  name: string;
  tag: string | undefined;
  digest: string | undefined;
}

/** Takes an image apart; a colon before the last slash is a registry's port. */
export function parseImage(image: string): ImageReference {
  const [tagged, digest] = cut(image, image.indexOf('@'));
  const colon = tagged.lastIndexOf(':');
  const [name, tag] = cut(tagged, colon > tagged.lastIndexOf('/') ? colon : -1);
  return { name, tag, digest };
}

/** The reverse of parseImage. */
export function imageText({ name, tag, digest }: ImageReference): string {
  return `${name}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

function cut(text: string, at: number): [before: string, after: string | undefined] {
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
