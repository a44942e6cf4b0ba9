import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readFileSync } from 'node:fs'
import { MAX_LENGTH } from '../../../src/modules/users/user-fields.ts'
import { ERRORS } from '../../../src/error-codes.ts'
import { en } from '../src/words/en.ts'
import { es } from '../src/words/es.ts'
import { languageOf } from '../src/words/languages.ts'
import { ptPT } from '../src/words/pt-pt.ts'
import { pt } from '../src/words/pt.ts'

/** Texts that are the same in English and in another language. */
const SAME = new Set([
  'Registrar',
  'Oceania',
  'UTF-8',
  'CSV',
  'Excel (.xlsx)',
  'root',
  'No',
  'ID',
  'ID 1',
  'URL',
  'Slug',
  'Token',
  'Tokens',
  'Webhook',
  'Webhooks',
  'Token 1',
  'token 1',
])
/** Matches texts of signs and units only, such as `ada · admin`, `5 min 5 s` and `5 UTC`. */
const UNITS_ALONE = /^(?:[\d\s·:]|min|UTC|[hs]\b)*$/
const NUMBERS = [0, 1, 2, 5, 1_000_000]

type Leaf = string | ((...given: any[]) => string)

/** Returns every text with its path, such as `nav.users`. */
function leavesOf(words: object, under = ''): [string, Leaf][] {
  return Object.entries(words).flatMap(([key, value]): [string, Leaf][] =>
    typeof value === 'object' ? leavesOf(value, `${under}${key}.`) : [[under + key, value]],
  )
}

function textOf(word: Leaf, given: unknown): string {
  return typeof word === 'string'
    ? word
    : textWith(
        word,
        Array.from({ length: word.length }, () => given),
      )
}

/** Some texts list names. */
function textWith(word: Exclude<Leaf, string>, given: unknown[]): string {
  try {
    return word(...given)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return word(...given.map((value) => [String(value)]))
  }
}

const english = leavesOf(en)

for (const [language, words] of Object.entries({ es, 'pt-BR': pt, 'pt-PT': ptPT })) {
  const translations = new Map(leavesOf(words))

  describe(`the texts in ${language}`, () => {
    it('has the same keys as English', () => {
      assert.deepEqual([...translations.keys()].toSorted(), english.map(([path]) => path).toSorted())
    })

    it('translates every text from English', () => {
      const untranslated = english.filter(([path, word]) => {
        const translation = textOf(translations.get(path) ?? '', 1)
        return translation === textOf(word, 1) && !SAME.has(translation) && !UNITS_ALONE.test(translation)
      })
      assert.deepEqual(untranslated, [])
    })

    it('returns a text for every number', () => {
      for (const [path, word] of translations) {
        for (const n of NUMBERS) assert.doesNotMatch(textOf(word, n), /^\s*$|undefined|NaN|\[object/, `${path}, ${n}`)
      }
    })

    it('uses every argument that the English text uses', () => {
      for (const [path, word] of english) {
        if (typeof word === 'string') continue
        const names = Array.from({ length: word.length }, (_, n) => `<${n}>`)
        const translated = translations.get(path)
        assert(typeof translated === 'function', path)
        for (const name of names.filter((name) => textWith(word, names).includes(name))) {
          assert(textWith(translated, names).includes(name), `${path} leaves out ${name}`)
        }
      }
    })
  })
}

describe('texts with numbers', () => {
  it('use the singular or plural form that the number needs', () => {
    assert.equal(es.service.pending(1), '1 entrega pendiente')
    assert.equal(es.service.pending(0), '0 entregas pendientes')
    assert.equal(es.service.pending(12_345), '12.345 entregas pendientes')
    assert.equal(es.service.pending(1_000_000), '1.000.000 de entregas pendientes')
    assert.equal(es.bulk.wouldChange(1, 2), '1 acceso cambiará, 2 quedarán igual.')
    assert.equal(pt.lists.users(0), '0 usuários')
    assert.equal(ptPT.lists.users(0), '0 utilizadores')
    assert.equal(pt.lists.accesses(5180, 1_000_000), '5.180 acessos, 1.000.000 em vigor')
    assert.equal(ptPT.lists.accesses(5180, 12_345), '5180 acessos, 12\u00a0345 em vigor')
  })
})

describe('Portuguese', () => {
  it('is that of Brazil or Portugal, as the browser says', () => {
    for (const tag of ['pt-BR', 'pt', 'pt-br']) assert.equal(languageOf(tag), 'pt-BR')
    for (const tag of ['pt-PT', 'pt-AO', 'pt-pt']) assert.equal(languageOf(tag), 'pt-PT')
    for (const tag of ['fr', 'fr-FR', '', null]) assert.equal(languageOf(tag), undefined)
  })

  it('uses the words of one country only', () => {
    assert.deepEqual(withWord(ptPT, BRAZILIAN), [])
    assert.deepEqual(withWord(pt, EUROPEAN), [])
  })

  it('has one word for one thing', () => {
    assert.deepEqual(withWord(pt, /vencimento|status do|cursos\b|papel|apaga|correspondência/i), [])
    assert.deepEqual(withWord(ptPT, /vencimento|situação|cursos\b|papel|apaga|expira|correspondência/i), [])
  })

  it('has no value of the API in a sentence', () => {
    for (const words of [en, es, pt, ptPT]) assert.deepEqual(withWord(words, /with_access|without_access/), [])
  })
})

/** Words that an office in the other country reads as foreign. */
const BRAZILIAN =
  /usuári|sobrenome|arquivo|planilha|baix(?:ar|e)|salv[aeo]|exclu[ií]|senha|\btelas?\b|\babas?\b|linha do tempo|requisiç|você|registro|registra\b|conexão|caractere|porcentagem|receptor|console do|banco de dados|busca|somente|clique|prorrog|vazado|fora do ar|digit|\w[aei]ndo\b(?<!quando|segundo|comando|incluindo)/i
const EUROPEAN = /utilizador|apelido|ficheiro|guardar|transferir|palavra-passe|ecrã|pedido|registo|separadores/i

function withWord(words: object, pattern: RegExp): string[] {
  return leavesOf(words)
    .map(([path, word]) => `${path}: ${textOf(word, 2)}`)
    .filter((text) => pattern.test(text.slice(text.indexOf(':'))))
}

describe('the texts of errors', () => {
  it('has one for every code of the API, in every language', () => {
    for (const words of [en, es, pt, ptPT]) {
      const missing = Object.keys(ERRORS).filter((code) => !Object.hasOwn(words.errors.codes, code))
      assert.deepEqual(missing, [])
    }
  })

  it('says which states a file may give an access, in the words of the screens', () => {
    for (const { errors, accessStates } of [en, es, pt, ptPT]) {
      for (const state of [accessStates.in_force, accessStates.closed]) {
        assert(errors.fields.status.includes(state), errors.fields.status)
      }
    }
  })

  it('has one for every field that an operator can send', () => {
    const missing = [...sentFields()].filter(
      (field) => !Object.hasOwn(en.errors.fields, field) && !Object.hasOwn(MAX_LENGTH, field),
    )
    assert.deepEqual(missing, [])
  })
})

/** The fields of every body under /admin, as the OpenAPI document lists them. */
function sentFields(): Set<string> {
  const { paths, components } = JSON.parse(readFileSync('src/assets/openapi.json', 'utf8'))
  const fields = new Set<string>()
  const visit = (node: any): void => {
    if (typeof node !== 'object' || node === null) return
    if (typeof node.$ref === 'string') {
      const [, , kind, name] = node.$ref.split('/')
      visit(components[kind][name])
      return
    }
    Object.keys(node.properties ?? {}).forEach((name) => fields.add(name))
    Object.values(node.properties ?? {}).forEach(visit)
    for (const part of [node.schema, node.items, node.anyOf, node.oneOf, node.allOf, node.content]) {
      Object.values(part ?? {}).forEach(visit)
      visit(part)
    }
  }
  for (const [path, operations] of Object.entries<any>(paths)) {
    if (path.startsWith('/admin')) Object.values<any>(operations).forEach(({ requestBody }) => visit(requestBody))
  }
  return fields
}
