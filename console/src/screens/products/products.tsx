import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { useStats } from '../../api/stats.ts'
import { useAddress } from '../../address.ts'
import { STATS } from '../../../../src/limits.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { ProductForm } from './product-form.tsx'

type Product = Schemas['Product']

export function Products() {
  const words = useWords()
  const store = useStore()
  const canChange = useSession().can('stores:write')
  const [edited, setEdited] = useState<Product | 'new'>()
  const [deleted, setDeleted] = useState<Product>()
  const { place } = useAddress(() => ({}))
  const page = usePages(
    ['products', store],
    (after, { limit, signal }) => {
      const query = { limit, ...(after !== undefined && { after }) }
      return bodyOf(
        api.GET('/admin/stores/{store_id}/products', { params: { path: { store_id: store }, query }, signal }),
      )
    },
    { place },
  )
  const create = canChange && <Button onClick={() => setEdited('new')}>{words.products.create}</Button>
  const close = () => setEdited(undefined)
  return (
    <Screen title={words.products.title} actions={create}>
      <PageTable
        label={words.products.title}
        page={page}
        columns={useColumns(canChange ? { edit: setEdited, remove: setDeleted } : undefined)}
        keyOf={({ id }) => id}
        empty={<Empty text={words.products.none}>{create}</Empty>}
      />
      <Dialog
        isOpen={edited !== undefined}
        onClose={close}
        title={edited === 'new' ? words.products.create : words.products.edit(edited?.name ?? '')}
      >
        {edited && <ProductForm store={store} product={edited === 'new' ? undefined : edited} onClose={close} />}
      </Dialog>
      <DeleteProduct store={store} product={deleted} onClose={() => setDeleted(undefined)} />
    </Screen>
  )
}

function useColumns(change: { edit: (row: Product) => void; remove: (row: Product) => void } | undefined) {
  const words = useWords()
  const store = useStore()
  const { data: stats } = useStats(store)
  // Only the products with the most accesses are counted.
  const countsOf = (id: string) => stats?.products.find((counted) => counted.id === id)
  const columns: Column<Product>[] = [
    {
      head: words.common.name,
      cell: ({ id, name }) => (
        <TextLink
          inherit
          to="/s/$store/accesses"
          params={{ store }}
          search={{ product: id }}
          title={words.products.showAccesses}
        >
          {name}
        </TextLink>
      ),
    },
    { head: words.products.slug, width: '14%', cell: ({ slug }) => slug },
    { head: words.products.type, width: '10%', cell: ({ type }) => type },
    {
      head: words.products.duration,
      width: '10%',
      cell: ({ expiration_days: days }) => (days === null ? words.products.noLimit : words.products.days(days)),
    },
    {
      head: words.lists.accessesHead,
      width: '15%',
      cell: ({ id }) => {
        const counts = countsOf(id)
        if (counts) return words.lists.accessesOfProduct(counts.accesses, counts.in_force)
        return stats && <NotCounted />
      },
    },
    { head: words.common.created, width: '17%', cell: ({ created_at }) => <Moment at={created_at} /> },
    { head: words.common.id, width: '6%', cell: ({ id }) => id },
  ]
  if (change) {
    columns.push({
      head: words.common.actions,
      width: '6rem',
      cell: (row) => (
        <RowActions
          edit={{ label: words.products.edit(row.name), run: () => change.edit(row) }}
          remove={{ label: words.products.delete(row.name), run: () => change.remove(row) }}
        />
      ),
    })
  }
  return columns
}

/** A blank cell would be taken for a product without accesses. */
function NotCounted() {
  const { lists } = useWords()
  return (
    <Text span size="xs" c="dimmed">
      {lists.notCounted(STATS.products)}
    </Text>
  )
}

function DeleteProduct({
  store,
  product,
  onClose,
}: {
  store: string
  product: Product | undefined
  onClose: () => void
}) {
  const words = useWords()
  const change = useChange<void, unknown>({
    change: () =>
      api.DELETE('/admin/stores/{store_id}/products/{id}', {
        params: { path: { store_id: store, id: product?.id ?? '' } },
      }),
    done: words.products.deleted,
    onDone: onClose,
  })
  return (
    <Confirm
      title={words.products.delete(product?.name ?? '')}
      action={words.common.delete}
      isOpen={product !== undefined}
      onClose={onClose}
      change={change}
      isDangerous
    >
      <Text>{words.products.deleteHint}</Text>
    </Confirm>
  )
}
