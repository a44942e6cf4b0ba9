/** Reads ZIP archives as far as hucre leaves something open. */
interface Entry {
  name: string
  /** The name is in the directory and before the content. */
  nameStarts: number[]
  isCompressed: boolean
  start: number
  size: number
}

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const CFB = [0xd0, 0xcf, 0x11, 0xe0]
const BACKSLASH = 0x5c
const SLASH = 0x2f

/** True for a ZIP archive, and for the container of old workbooks and of workbooks with a password. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return ZIP.every((byte, i) => bytes[i] === byte) || isContainer(bytes)
}

/** A compound file (CFB). */
export function isContainer(bytes: Uint8Array): boolean {
  return CFB.every((byte, i) => bytes[i] === byte)
}

/** Some programs write the names of Windows, with backslashes. Returns the same archive with slashes. */
export function withSlashes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const entries = entriesOf(bytes).filter(({ name }) => name.includes('\\'))
  if (entries.length === 0) return bytes
  const copy = bytes.slice()
  for (const { name, nameStarts } of entries) {
    const { length } = new TextEncoder().encode(name)
    for (const start of nameStarts)
      for (let i = start; i < start + length; i++) if (copy[i] === BACKSLASH) copy[i] = SLASH
  }
  return copy
}

/** Reads the directory at the end of the archive. */
export function entriesOf(bytes: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < 0) return []
  const entries: Entry[] = []
  let at = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0 && at + 46 <= end; count--) {
    if (view.getUint32(at, true) !== 0x02014b50) break
    const nameLength = view.getUint16(at + 28, true)
    const local = view.getUint32(at + 42, true)
    if (local + 30 > end) break
    entries.push({
      nameStarts: [at + 46, local + 30],
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      isCompressed: view.getUint16(at + 10, true) === 8,
      start: local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true),
      size: view.getUint32(at + 20, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

export async function textOf(bytes: Uint8Array<ArrayBuffer>, { start, size, isCompressed }: Entry): Promise<string> {
  const data = new Blob([bytes.subarray(start, start + size)])
  const stream = isCompressed ? data.stream().pipeThrough(new DecompressionStream('deflate-raw')) : data.stream()
  return new Response(stream).text()
}
