/** Replaces the module `node:stream/web`, which a browser does not have: it has the same classes as globals. */
export const { TransformStream, CountQueuingStrategy } = globalThis
