import { describe, expect, it } from 'vitest'
import page from '../../docs/errors.md?raw'
import document from '../../src/assets/openapi.json'
import { ERRORS } from '../../src/wire/errors.ts'

describe('Each error code', () => {
  it.each(Object.entries(ERRORS))('%s is in docs/errors.md with its status and type', (code, { status, type }) => {
    const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    expect(rows.find((cells) => cells[3] === `\`${code}\``)?.slice(1, 3)).toEqual([String(status), type])
  })

  it('is in the OpenAPI document', () => {
    const text = JSON.stringify(document)
    expect(Object.keys(ERRORS).filter((code) => !text.includes(`"${code}"`))).toEqual([])
  })
})
