/**
 * csv-parse uses Node's global `Buffer` as soon as it is loaded. If this file is not imported before it, loading it
 * fails.
 */
import { Buffer } from 'buffer'

Object.assign(globalThis, { Buffer })
