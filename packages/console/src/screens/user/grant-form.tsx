import { Radio, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Change } from '../../api/changes.ts'
import type { Schemas } from '../../api/client.ts'
import { useProducts } from '../../api/products.ts'
import { isAnything } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { DueDateInput } from '../../parts/due-date-input.tsx'
import { endOfDayIn } from '../../parts/due-days.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { Moment } from '../../parts/moment.tsx'
import { SearchMultiSelect } from '../../parts/search-select.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'

type Product = Schemas['Product']

/** What the operator has chosen. */
export interface Grant {
  products: Product[]
  /** Undefined if the default of each product applies. */
  dueDate: string | null | undefined
}

interface Props {
  /** Ids of the products that are not offered, because granting them again would fail. */
  given: string[]
  change: Change<Grant>
  onCancel: () => void
  /** Is shown above the inputs. */
  intro?: ReactNode
  /** Is shown below the inputs. */
  children?: ReactNode
}

/** The form that grants products, to one person or to several. */
export function GrantForm({ given, change, onCancel, intro, children }: Props) {
  const words = useWords()
  const store = useStore()
  const [chosen, setChosen] = useState<string[]>([])
  const [dueDate, setDueDate] = useState<string | null>()
  const { data: products, error, refetch } = useProducts(store)
  // After a failure, the products that were granted are no longer offered.
  const choices = (products ?? []).filter(({ id }) => !given.includes(id))
  const pending = chosen.flatMap((id) => choices.find((product) => product.id === id) ?? [])
  const ids = pending.map(({ id }) => id)
  const errors = useFormErrors(change.failure, {
    product_id: [ids.join(' '), (text) => text !== ''],
    access_due_date: [dueDate ?? '', isAnything],
  })
  // If the products were read before, the form stays, or what was chosen would be out of view.
  if (error && !products) return <FailureNote error={error} retry={() => void refetch()} />
  if (products?.length === 0) return <NoProducts />
  if (products && choices.length === 0) return <Text size="sm">{words.user.allProductsGranted}</Text>
  return (
    <DialogForm
      action={words.user.grant}
      change={change}
      errors={errors}
      onSubmit={() => change.run({ products: pending, dueDate })}
      onCancel={onCancel}
    >
      {intro}
      <SearchMultiSelect
        label={words.user.products}
        placeholder={pending.length === 0 ? words.user.chooseProducts : ''}
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        value={ids}
        onChange={setChosen}
        error={errors.shown['product_id']}
        data-autofocus
      />
      <HowLong
        products={choices.filter(({ id }) => ids.includes(id))}
        dueDate={dueDate}
        onChange={setDueDate}
        error={errors.shown['access_due_date']}
      />
      {children}
    </DialogForm>
  )
}

interface HowLongProps {
  /** The products that are chosen. */
  products: Product[]
  /** Undefined if the default of each product applies. */
  dueDate: string | null | undefined
  onChange: (dueDate: string | null | undefined) => void
  error: string | undefined
}

function HowLong({ products, dueDate, onChange, error }: HowLongProps) {
  const { user } = useWords()
  const zone = useZone()
  const days = products[0]?.expiration_days
  return (
    <>
      <Radio.Group
        label={user.duration}
        value={dueDate === undefined ? 'product' : 'date'}
        onChange={(choice) => onChange(choice === 'product' ? undefined : endOfDayIn(days ?? 30, zone))}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="product" label={user.productDefault} />
          <Radio value="date" label={user.untilDate} />
        </Stack>
      </Radio.Group>
      {dueDate !== undefined && <DueDateInput label={user.dueDate} value={dueDate} onChange={onChange} error={error} />}
      <Result products={products} dueDate={dueDate} />
    </>
  )
}

const DAY_MS = 86_400_000

/** Says for each product when its access would end. */
function Result({ products, dueDate }: Pick<HowLongProps, 'products' | 'dueDate'>) {
  const { user } = useWords()
  const [now] = useState(Date.now)
  const endOf = ({ expiration_days: days }: Product) =>
    dueDate === undefined ? days && new Date(now + days * DAY_MS).toISOString() : dueDate
  return (
    <Stack gap={4} role="status">
      {products.map((product) => (
        <Text size="sm" key={product.id}>
          {user.accessUntil(product.name)} <Moment at={endOf(product) || null} empty={user.productDays(null)} />
        </Text>
      ))}
    </Stack>
  )
}

function NoProducts() {
  const { user } = useWords()
  const store = useStore()
  return (
    <Stack align="start">
      <Text size="sm">{user.noProducts}</Text>
      <ButtonLink to="/s/$store/products" params={{ store }}>
        {user.createProduct}
      </ButtonLink>
    </Stack>
  )
}
