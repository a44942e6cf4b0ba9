/**
 * Tells whether the service's CSV file came whole. It has no mark at its end, and not every proxy cuts the connection when
 * the service does: some end a broken file as they end a complete one. Its rows are in the order of their ids, so a file
 * that has the newest record of before the download has all that were there.
 */
export class CutShort extends Error {
  override name = 'CutShort'

  constructor(id: string) {
    super(
      `The file ends before the record ${id}, which was the newest one. Either the download was cut, or the record has been deleted meanwhile. Download it again.`,
    )
  }
}

/** Passes the file on, and throws CutShort at its end if no row began with this id. */
export function endingAfter(id: string): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const row = new RegExp(`\n"?${id}"?[,;]`)
  const decoder = new TextDecoder('latin1')
  let [rest, isFound] = ['', false]
  return new TransformStream({
    transform(chunk, controller) {
      if (!isFound) {
        const text = rest + decoder.decode(chunk)
        isFound = row.test(text)
        rest = text.slice(-(id.length + 4))
      }
      controller.enqueue(chunk)
    },
    flush(controller) {
      if (!isFound) controller.error(new CutShort(id))
    },
  })
}
