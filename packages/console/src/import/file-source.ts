import type { Source } from '../../../import/source.ts'

/** The stream is read with a reader, because not every browser can iterate over `file.stream()`. */
export function sourceOf(file: Blob): Source {
  return {
    size: file.size,
    open: () => chunksOf(file.stream()),
    openSlice: (start, end) => chunksOf(file.slice(start, end).stream()),
  }
}

async function* chunksOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
