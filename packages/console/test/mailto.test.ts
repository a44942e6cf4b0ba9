import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mailtoOf } from '../src/parts/mailto.ts'

describe('the link to an email', () => {
  for (const email of ["o'hara+news@example.com", 'a?bcc=eve@example.com', 'a&body=%41@example.com', 'zoe@bücher.de']) {
    it(`is to ${email} and to nobody else`, () => {
      const link = new URL(mailtoOf(email))
      assert.deepEqual([link.protocol, decodeURIComponent(link.pathname), link.search], ['mailto:', email, ''])
    })
  }
})
