/** Packs the image of a module's static data: an even number of bytes. */
export function pack(image: Uint8Array): Uint8Array;
