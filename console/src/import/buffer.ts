/** csv-parse asks for Node's `Buffer` by its global name as soon as it is loaded: this must be imported before it. */
import { Buffer } from 'buffer'

Object.assign(globalThis, { Buffer })
