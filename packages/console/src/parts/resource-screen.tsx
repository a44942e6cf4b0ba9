/**
 * A screen with a list of records of one kind, and the dialogs that create, edit and remove one. A screen describes its
 * columns, its form and its words.
 */
import { Button, Group, type ModalProps, Text } from '@mantine/core'
import { CircleSlashIcon, PencilIcon, PlusIcon, TrashIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import { readOrder, type Search, useAddress } from '../address.ts'
import { useChange } from '../api/changes.ts'
import { type List, usePages } from '../api/pages.ts'
import { useWords } from '../words/index.tsx'
import { AskAdmin } from './ask-admin.tsx'
import { Confirm } from './confirm.tsx'
import { Dialog } from './dialog.tsx'
import { Empty } from './empty.tsx'
import { ListHead } from './list-head.tsx'
import { OrderControl } from './order-control.tsx'
import { type Column, PageTable } from './page-table.tsx'
import { RowAction } from './row-action.tsx'
import { Screen } from './screen.tsx'

interface Removal<T> {
  /** The label of the button, which includes the record: screen readers announce the button without its row. */
  label: (row: T) => string
  warning: (row: T) => string
  send: (row: T) => Promise<unknown>
  done: string
  /** What to know before. */
  about?: (row: T) => ReactNode
  /** A revoked record stays in the list. If these texts are omitted, the record is deleted. */
  revoke?: { title: string; action: string }
}

interface Props<T> {
  title: string
  intro?: string | undefined
  /** Says why the list is empty. */
  none: string
  /** Identifies the list in the cache. */
  name: string[]
  list: (query: { after?: string; limit: number }, order: 'asc' | 'desc') => ReturnType<List<T>>
  /** Offers both orders. Without it, the order is the one of the API. */
  hasOrder?: boolean
  refreshMs?: number
  /** On a screen with a second list, the part of the URL that belongs to that one. */
  keptSearch?: (search: Search) => object
  columns: Column<T>[]
  keyOf: (row: T) => string
  /** True for a record that is only kept as a memory: it is dimmed, and has no actions. */
  isOver?: (row: T) => boolean
  /** False if the operator's role may not change these records. */
  mayChange: boolean
  /** Says whom to ask for a change. By default it is an admin. */
  whoMay?: string
  create: { label: string; labelOfFirst?: string }
  edit?: { label: (row: T) => string; title?: string }
  /** The form of a dialog. Without a record, it creates one. */
  form: (row: T | undefined, close: () => void) => ReactNode
  formSize?: NonNullable<ModalProps['size']>
  /** Further buttons of a record. */
  actions?: (row: T) => ReactNode
  remove?: Removal<T>
  /** What follows the list. */
  children?: (rows: T[]) => ReactNode
}

export function ResourceScreen<T>(props: Props<T>) {
  const { title, intro, none, create, edit, remove, mayChange, isOver } = props
  const { common } = useWords()
  const { filter, setFilter, place } = useAddress((search) => ({ ...readOrder(search), ...props.keptSearch?.(search) }))
  const { order = 'desc' } = props.hasOrder ? filter : {}
  const page = usePages<T>(
    props.hasOrder ? [...props.name, order] : props.name,
    (after, { limit }) => props.list({ limit, ...(after !== undefined && { after }) }, order),
    { place, ...(props.refreshMs && { refreshMs: props.refreshMs }) },
  )
  // A dialog that closes still shows what it was about.
  const [edited, setEdited] = useState<{ row?: T; isOpen: boolean }>({ isOpen: false })
  const [removed, setRemoved] = useState<{ row?: T; isOpen: boolean }>({ isOpen: false })
  const close = () => setEdited({ ...edited, isOpen: false })
  const button = (label: string) =>
    mayChange && (
      <Button leftSection={<PlusIcon size={16} aria-hidden />} onClick={() => setEdited({ isOpen: true })}>
        {label}
      </Button>
    )
  const isEmpty = page.rows?.length === 0 && page.number === 1
  const actionsOf = (row: T) =>
    !isOver?.(row) && (
      <Group gap={4} wrap="nowrap">
        {edit && (
          <RowAction label={edit.label(row)} Icon={PencilIcon} onClick={() => setEdited({ row, isOpen: true })} />
        )}
        {props.actions?.(row)}
        {remove && (
          <RowAction
            label={remove.label(row)}
            Icon={remove.revoke ? CircleSlashIcon : TrashIcon}
            onClick={() => setRemoved({ row, isOpen: true })}
            isDangerous
          />
        )}
      </Group>
    )
  const buttons = [edit, props.actions, remove].filter((action) => action !== undefined).length
  return (
    <Screen title={title} actions={!isEmpty && button(create.label)}>
      {intro && (
        <Text c="dimmed" maw={720}>
          {intro}
        </Text>
      )}
      {!mayChange && <AskAdmin text={props.whoMay} />}
      {props.hasOrder && !isEmpty && (
        <ListHead>
          <OrderControl value={order === 'asc' ? order : undefined} onChange={setFilter} />
        </ListHead>
      )}
      <PageTable
        label={title}
        page={page}
        columns={
          mayChange && buttons > 0
            ? [...props.columns, { head: common.actions, width: `${2 * buttons + 2}rem`, cell: actionsOf }]
            : props.columns
        }
        keyOf={props.keyOf}
        isDimmed={isOver}
        empty={<Empty text={none}>{button(create.labelOfFirst ?? create.label)}</Empty>}
      />
      {props.children?.(page.rows ?? [])}
      <Dialog
        title={edited.row === undefined ? create.label : (edit?.title ?? edit?.label(edited.row) ?? '')}
        isOpen={edited.isOpen}
        onClose={close}
        {...(props.formSize !== undefined && { size: props.formSize })}
      >
        {props.form(edited.row, close)}
      </Dialog>
      {remove && (
        <RemoveDialog
          remove={remove}
          row={removed.row}
          isOpen={removed.isOpen}
          onClose={() => setRemoved({ ...removed, isOpen: false })}
        />
      )}
    </Screen>
  )
}

interface RemoveProps<T> {
  remove: Removal<T>
  row: T | undefined
  isOpen: boolean
  onClose: () => void
}

function RemoveDialog<T>({ remove, row, isOpen, onClose }: RemoveProps<T>) {
  const { common } = useWords()
  const change = useChange({
    change: async () => row !== undefined && (await remove.send(row)),
    done: remove.done,
    onDone: onClose,
  })
  return (
    <Confirm
      title={remove.revoke?.title ?? (row === undefined ? '' : remove.label(row))}
      action={remove.revoke?.action ?? common.delete}
      isOpen={isOpen}
      onClose={onClose}
      change={change}
      isDangerous
    >
      <Text>{row !== undefined && remove.warning(row)}</Text>
      {row !== undefined && isOpen && remove.about?.(row)}
    </Confirm>
  )
}
