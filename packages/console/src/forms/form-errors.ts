/**
 * The errors of a form's fields. A form is checked before it is sent, so that most mistakes need no request; what only
 * the service can know comes from its response.
 */
import { useState } from 'react'
import type { RegistrarError } from 'registrar-client'
import { type Words, useWords } from '../words/index.tsx'
import type { Check } from './checks.ts'
import { detailText } from './error-text.ts'

/** Each field that the form shows, by its name in the API, with its text and what makes it valid. */
export type Fields = Record<string, readonly [text: string, check: Check]>

export interface FormErrors {
  /** The errors to show next to the inputs. */
  shown: Record<string, string>
  /** The fields that the form shows. The details of a failure that name other fields are listed below the form. */
  fields: string[]
  /** Returns false if a field is invalid. From then on, the form shows which ones. */
  check: () => boolean
}

export function useFormErrors(failure: RegistrarError | undefined, fields: Fields): FormErrors {
  const words = useWords()
  const [isChecked, setChecked] = useState(false)
  const problems = Object.entries(fields)
    .filter(([, [text, check]]) => !check(text))
    .map(([field, [value]]) => [field, detailText('invalid_parameter', { field, value }, words)] as const)
  return {
    shown: { ...detailTexts(failure, words), ...(isChecked && Object.fromEntries(problems)) },
    fields: Object.keys(fields),
    check: () => {
      setChecked(true)
      return problems.length === 0
    },
  }
}

function detailTexts(failure: RegistrarError | undefined, words: Words): Record<string, string> {
  const { code = '', details = [] } = failure ?? {}
  return Object.fromEntries(details.map((detail) => [detail.field, detailText(code, detail, words)]))
}
