import type { Mutation } from '../../api/release.ts';
import { containersOfAnyKind } from '../render/podSpec.ts';
import type { Change } from './change.ts';
import { imageText, type ImageReference, parseImage } from './imageReference.ts';

type ImageChange = NonNullable<Mutation['images']>[number];

/** Replaces images in the containers of every sort, of pods and of all pod templates. */
export const setImages: Change = (object, { images = [] }, writer) => {
  const changes = new Map(images.map((change) => [change.name, change]));
  for (const container of containersOfAnyKind(object)) {
    const { image } = container;
    if (typeof image !== 'string') continue;
    const reference = parseImage(image);
    const change = changes.get(reference.name);
    if (change !== undefined) container['image'] = writer.write(imageText(changed(reference, change)));
  }
  return object;
};

/** As kustomize does: what is given replaces tag and digest both, else a new tag would lose to the old digest. */
function changed(reference: ImageReference, { newName, newTag, digest }: ImageChange): ImageReference {
  const name = newName ?? reference.name;
  if (newTag === undefined && digest === undefined) return { ...reference, name };
  return { name, tag: newTag, digest };
}
