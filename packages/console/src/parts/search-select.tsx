/**
 * Selects with a search. Mantine's own drop a text that was typed but not chosen, with the value that it was meant to be.
 * Here it stays, as an error, and the form is not sent (see `hasUnmatchedText`).
 */
import { MultiSelect, type MultiSelectProps, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { exactMatch, matchesOf } from '../forms/matches.ts'
import { useWords } from '../words/index.tsx'

interface Choice {
  value: string
  label: string
}

type Own = 'data' | 'value' | 'onChange' | 'searchValue' | 'filter' | 'searchable' | 'dropdownOpened'

interface OneProps extends Omit<SelectProps, Own> {
  data: Choice[]
  value: string | null
  onChange: (value: string | null) => void
}

export function SearchSelect({ data, value, onChange, error, ...props }: OneProps) {
  const chosen = data.find((choice) => choice.value === value)?.label ?? ''
  const [text, setText] = useState(chosen)
  const choose = (choice: Choice) => {
    onChange(choice.value)
    setText(choice.label)
  }
  const search = useSearch({ text: text === chosen ? '' : text, data, error, choose })
  return (
    <Select
      {...props}
      {...search}
      data={data}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      onOptionSubmit={(option) => setText(data.find((choice) => choice.value === option)?.label ?? '')}
      onBlur={() => {
        const exact = exactMatch(data, text)
        if (exact) choose(exact)
        // Mantine has just put the label of the value there.
        else setText(text)
        if (text === '') onChange(null)
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
  const open = data.filter((choice) => !value.includes(choice.value))
  const choose = (choice: Choice) => {
    onChange([...value, choice.value])
    setText('')
  }
  const search = useSearch({ text, data: open, error, choose })
  return (
    <MultiSelect
      {...props}
      {...search}
      data={data}
      value={value}
      onChange={(values) => {
        onChange(values)
        // Left open, the menu would cover the rest of the form after each choice.
        search.onDropdownClose()
      }}
      searchValue={text}
      onSearchChange={setText}
      onBlur={() => {
        const exact = exactMatch(open, text)
        if (exact) choose(exact)
        else setText(text)
      }}
      hidePickedOptions
    />
  )
}

interface Search {
  /** What was typed and has not been chosen. */
  text: string
  data: Choice[]
  error: ReactNode
  choose: (choice: Choice) => void
}

function useSearch({ text, data, error, choose }: Search) {
  const { errors } = useWords()
  const [isOpen, setOpen] = useState(false)
  const [first] = text === '' ? [] : matchesOf(data, text)
  const isWrong = text !== '' && (!isOpen || first === undefined)
  return {
    searchable: true,
    selectFirstOptionOnChange: true,
    filter: filterOptions,
    dropdownOpened: isOpen,
    onDropdownOpen: () => setOpen(true),
    onDropdownClose: () => setOpen(false),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      // Mantine takes the option that it has marked, but marks none while the menu opens.
      const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
      const marked = list?.querySelector('[data-combobox-selected]') ?? null
      if (event.key !== 'Enter' || !isOpen || first === undefined || marked !== null) return
      event.preventDefault()
      choose(first)
      setOpen(false)
    },
    error: isWrong ? errors.noSuchChoice(text) : error,
    ...(text !== '' && { [UNMATCHED]: true }),
  }
}

/** Marks an input with a text that means nothing yet, because nothing was chosen. */
export const UNMATCHED = 'data-unmatched'

/** True if an input in the form has a text that was typed but not chosen. */
export function hasUnmatchedText(form: HTMLFormElement | null): boolean {
  return (form?.querySelector(`[${UNMATCHED}]`) ?? null) !== null
}

const filterOptions: OptionsFilter = ({ options, search }) =>
  matchesOf(
    options.flatMap((option) => ('value' in option ? [option] : [])),
    search,
  )
