/** What Node has in its module `node:stream/web`, a browser has as globals. */
export const { TransformStream, CountQueuingStrategy } = globalThis
