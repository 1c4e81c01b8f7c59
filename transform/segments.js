// The static data of a compiled module.

/** @param {any} module @returns {{ offset: number, data: Uint8Array }[]} none when one is passive */
export function segmentsOf(module) {
  const segments = [];
  for (let index = 0; index < module.getNumDataSegments(); index++) {
    const { offset, data, passive } = module.getDataSegmentInfo(
      module.getDataSegmentByIndex(index),
    );
    if (passive) return [];
    segments.push({ offset, data: new Uint8Array(data) });
  }
  return segments;
}
