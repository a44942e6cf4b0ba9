/** Entity tags of a product access, strong: `"<id>-<version>"` (RFC 9110, sections 8.8.3 and 13.1.1). */
import type { ProductAccessRecord } from '../domain/product-accesses.ts'

export function toEtag({ id, version }: ProductAccessRecord): string {
  return `"${id}-${version}"`
}

/**
 * The versions that If-Match names of this access; undefined where any will do. A weak tag never matches, nor does
 * what is no tag.
 */
export function expectedVersions(ifMatch: string | undefined, id: number | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const tags = ifMatch.split(',').map((tag) => /^"([1-9]\d*)-([1-9]\d{0,14})"$/.exec(tag.trim()))
  return tags.filter((tag) => tag !== null && Number(tag[1]) === id).map((tag) => Number(tag?.[2]))
}
