/**
 * Selects with a search. Mantine's own drop a text that was typed but not chosen, with the value that it was meant to be.
 * Here it stays, as an error, and the form is not sent (see `hasUnmatchedText`).
 */
import { MultiSelect, type MultiSelectProps, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { exactMatch, matchesOf } from '../forms/matches.ts'
import { useWords } from '../words/index.tsx'

interface Choice {
  value: string
  label: string
}

type Own = 'data' | 'value' | 'onChange' | 'searchValue' | 'filter' | 'searchable'

interface OneProps extends Omit<SelectProps, Own> {
  data: Choice[]
  value: string | null
  onChange: (value: string | null) => void
}

export function SearchSelect({ data, value, onChange, error, ...props }: OneProps) {
  const chosen = data.find((choice) => choice.value === value)?.label ?? ''
  const [text, setText] = useState(chosen)
  const search = useOpenText(text === chosen ? '' : text, data, error)
  return (
    <Select
      {...props}
      {...search.props}
      data={data}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      onOptionSubmit={(option) => setText(data.find((choice) => choice.value === option)?.label ?? '')}
      onBlur={() => {
        const exact = exactMatch(data, text)
        if (text === '') onChange(null)
        else if (exact) onChange(exact.value)
        // Mantine has just put the label of the value there.
        setText(exact?.label ?? text)
      }}
      allowDeselect={false}
    />
  )
}

interface SeveralProps extends Omit<MultiSelectProps, Own> {
  data: Choice[]
  value: string[]
  onChange: (value: string[]) => void
}

export function SearchMultiSelect({ data, value, onChange, error, ...props }: SeveralProps) {
  const [text, setText] = useState('')
  const search = useOpenText(text, data, error)
  return (
    <MultiSelect
      {...props}
      {...search.props}
      data={data}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => {
        search.props.onDropdownOpen()
        props.onDropdownOpen?.()
      }}
      onDropdownClose={() => {
        search.props.onDropdownClose()
        props.onDropdownClose?.()
      }}
      onBlur={() => {
        const exact = exactMatch(data, text)
        if (exact && !value.includes(exact.value)) onChange([...value, exact.value])
        setText(exact ? '' : text)
      }}
      hidePickedOptions
    />
  )
}

/** `text` is what was typed and has not been chosen. */
function useOpenText(text: string, data: Choice[], error: ReactNode) {
  const { errors } = useWords()
  const [isOpen, setOpen] = useState(false)
  const isWrong = text !== '' && (!isOpen || matchesOf(data, text).length === 0)
  return {
    props: {
      searchable: true as const,
      selectFirstOptionOnChange: true,
      filter: filterOptions,
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => setOpen(false),
      error: isWrong ? errors.noSuchChoice(text) : error,
      ...(text !== '' && { [UNMATCHED]: true }),
    },
  }
}

const UNMATCHED = 'data-unmatched'

/** True if a select in the form has a text that was typed but not chosen. */
export function hasUnmatchedText(form: HTMLFormElement | null): boolean {
  return form?.querySelector(`[${UNMATCHED}]`) !== null
}

const filterOptions: OptionsFilter = ({ options, search }) =>
  matchesOf(
    options.flatMap((option) => ('value' in option ? [option] : [])),
    search,
  )
