import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { en } from '../src/words/en.ts'
import { es } from '../src/words/es.ts'
import { pt } from '../src/words/pt.ts'

/** What is the same in English. */
const SAME = new Set([
  'Registrar',
  'root',
  'No',
  'E-mail',
  'Slug',
  'Status',
  'Token',
  'Tokens',
  'Webhook',
  'Webhooks',
  'Token 1',
  'token 1',
  'webhook 1',
])
/** Such as `ada · admin`, `5 min 5 s` and `5 UTC`: signs and units alone. */
const UNITS_ALONE = /^(?:[\d\s·:]|min|UTC|[hs]\b)*$/
const NUMBERS = [0, 1, 2, 5, 1_000_000]

type Leaf = string | ((...given: any[]) => string)

/** Every word by its path, such as `nav.users`. */
function leavesOf(words: object, under = ''): [string, Leaf][] {
  return Object.entries(words).flatMap(([key, value]): [string, Leaf][] =>
    typeof value === 'object' ? leavesOf(value, `${under}${key}.`) : [[under + key, value]],
  )
}

function say(word: Leaf, given: unknown): string {
  return typeof word === 'string' ? word : word(...Array.from({ length: word.length }, () => given))
}

const english = leavesOf(en)

for (const [language, words] of Object.entries({ es, pt })) {
  const spoken = new Map(leavesOf(words))

  describe(`the words in ${language}`, () => {
    it('are those of English, no less and no more', () => {
      assert.deepEqual([...spoken.keys()].toSorted(), english.map(([path]) => path).toSorted())
    })

    it('are not English', () => {
      const untranslated = english.filter(([path, word]) => {
        const said = say(spoken.get(path) ?? '', 1)
        return said === say(word, 1) && !SAME.has(said) && !UNITS_ALONE.test(said)
      })
      assert.deepEqual(untranslated, [])
    })

    it('say something for every number', () => {
      for (const [path, word] of spoken) {
        for (const n of NUMBERS) assert.doesNotMatch(say(word, n), /^\s*$|undefined|NaN|\[object/, `${path}, ${n}`)
      }
    })

    it('name everything that English names', () => {
      for (const [path, word] of english) {
        if (typeof word === 'string') continue
        const names = Array.from({ length: word.length }, (_, n) => `<${n}>`)
        const translated = spoken.get(path)
        assert(typeof translated === 'function', path)
        for (const name of names.filter((name) => word(...names).includes(name))) {
          assert(translated(...names).includes(name), `${path} leaves out ${name}`)
        }
      }
    })
  })
}

describe('numbers in words', () => {
  it('agree with what they count', () => {
    assert.equal(es.overview.waiting(1), '1 entrega en espera')
    assert.equal(es.overview.waiting(0), '0 entregas en espera')
    assert.equal(es.overview.waiting(12_345), '12.345 entregas en espera')
    assert.equal(es.overview.waiting(1_000_000), '1.000.000 de entregas en espera')
    assert.equal(es.accesses.planned(1, 2, 1), '1 cambiará, 2 quedarán como están, 1 no se pudo leer')
  })
})
