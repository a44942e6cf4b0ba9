/** What the Worker has in the place of `prose.ts`. The bundler drops calls of an empty function, with their arguments. */
export function prose(_words: unknown): undefined {}
