import { Combobox, InputBase, useCombobox } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAllStores } from '../api/stores.ts'
import { useWords } from '../words/index.tsx'
import classes from './frame.module.css'

/** With more stores than this, the menu has an input to search in it. */
const MAX_WITHOUT_SEARCH = 8

/**
 * The current store is the text of a button and not of an input, because an input has one line, which on a phone would
 * cut off most of a long name.
 */
export function StorePicker() {
  const { common, nav } = useWords()
  const navigate = useNavigate()
  const { store } = useParams({ strict: false })
  const [search, setSearch] = useState('')
  const { data: stores = [] } = useAllStores()
  const hasSearch = stores.length > MAX_WITHOUT_SEARCH
  const combobox = useCombobox({
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active')
      if (hasSearch) combobox.focusSearchInput()
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      if (hasSearch) combobox.focusTarget()
      setSearch('')
    },
  })
  const wanted = search.trim().toLowerCase()
  const found = stores.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <Combobox
      store={combobox}
      // On a phone the button is narrower than a long name needs.
      width={320}
      position="bottom-start"
      onOptionSubmit={(chosen) => {
        combobox.closeDropdown()
        void navigate({ to: '/s/$store', params: { store: chosen } })
      }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute withKeyboardNavigation={!hasSearch}>
        <InputBase
          component="button"
          type="button"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- Combobox.Target adds them
          role="combobox"
          aria-label={nav.store}
          pointer
          multiline
          classNames={{ input: classes['store'] ?? '' }}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          {/* The list of stores is limited. The current store may be missing from it and is then shown by its id. */}
          {stores.find(({ id }) => id === store)?.name ?? store ?? nav.chooseStore}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        {hasSearch && (
          <Combobox.Search
            aria-label={nav.findStore}
            placeholder={nav.findStore}
            value={search}
            onChange={({ currentTarget }) => {
              setSearch(currentTarget.value)
              combobox.resetSelectedOption()
            }}
          />
        )}
        <Combobox.Options aria-label={nav.store} className={classes['stores'] ?? ''}>
          {found.map(({ id, name }) => (
            <Combobox.Option key={id} value={id} active={id === store} selected={id === store}>
              {name}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{common.noMatches}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
