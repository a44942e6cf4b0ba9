/**
 * Reads XML as events, chunk by chunk. saxes checks that it is well-formed, so that a file which was cut off is an error
 * instead of a shorter list of people.
 */
import { SaxesParser } from 'saxes'

export type Attributes = Readonly<Record<string, string>>

/** The names of elements are without their prefix. */
export interface XmlHandler {
  open: (name: string, attributes: Attributes) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

export class BrokenXml extends Error {
  override name = 'BrokenXml'
}

/** Calls the handler while it reads, and yields after each chunk. No bytes are no elements. Throws BrokenXml. */
export async function* readXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  // The caller knows the cell, which says more than a line.
  const parser = new SaxesParser({ position: false, xmlns: false })
  parser.on('error', (error) => {
    throw new BrokenXml(error.message)
  })
  parser.on('opentag', ({ name, attributes }) => handler.open(localName(name), attributes))
  if (handler.close) parser.on('closetag', ({ name }) => handler.close?.(localName(name)))
  if (handler.text) {
    parser.on('text', handler.text)
    parser.on('cdata', handler.text)
  }
  let decoder: TextDecoder | undefined
  const decode = (chunk?: Uint8Array): string => {
    decoder ??= decoderFor(chunk)
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (error) {
      if (error instanceof TypeError) throw new BrokenXml('not UTF-8')
      throw error
    }
  }
  for await (const chunk of chunks) {
    parser.write(decode(chunk))
    yield
  }
  // An archive need not have every part.
  if (decoder === undefined) return
  parser.write(decode()).close()
  yield
}

/** Calls `open` for each element. */
export async function readElements(chunks: AsyncIterable<Uint8Array>, open: XmlHandler['open']): Promise<void> {
  const reading = readXml(chunks, { open })
  while (!(await reading.next()).done);
}

/** Some writers use a prefix for a name that the standard writes without one, or another prefix. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name]
  const key = Object.keys(attributes).find((each) => localName(each) === name)
  return key === undefined ? undefined : attributes[key]
}

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on'
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

function decoderFor([first, second]: Uint8Array = new Uint8Array()): TextDecoder {
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: false })
}
