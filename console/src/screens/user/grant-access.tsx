import { Radio, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange, useIdempotencyKey } from '../../api/changes.ts'
import { api, bodyOf } from '../../api/client.ts'
import { listProducts } from '../../api/products.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { DueDateInput, endOfDayIn } from '../../parts/due-date-input.tsx'
import { FailureNote, fieldErrors } from '../../parts/failure-note.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { User } from '../users/draft.ts'

interface Props {
  user: User
  /** Ids of the products that the user already has access to; granting them again would fail. */
  given: string[]
  isOpen: boolean
  onClose: () => void
}

export function GrantAccess({ isOpen, ...props }: Props) {
  const words = useWords()
  return (
    <Dialog title={words.user.grant} isOpen={isOpen} onClose={props.onClose}>
      <GrantForm {...props} />
    </Dialog>
  )
}

function GrantForm({ user, given, onClose }: Omit<Props, 'isOpen'>) {
  const words = useWords()
  const store = useStore()
  const { key } = useIdempotencyKey()
  const [product, setProduct] = useState<string | null>(null)
  const [dueDate, setDueDate] = useState<string | null>()
  const { data: products, error } = useQuery({
    queryKey: ['products', store, 'all'],
    queryFn: () => listProducts(store),
  })
  const grant = useChange<void, unknown>({
    change: () =>
      bodyOf(
        api.POST('/admin/stores/{store_id}/product_accesses', {
          params: { path: { store_id: store }, header: { 'X-Idempotency-Key': key } },
          body: {
            user_id: user.id,
            product_id: product ?? '',
            ...(dueDate !== undefined && { access_due_date: dueDate }),
          },
        }),
      ),
    done: words.user.granted,
    onDone: onClose,
  })
  const errors = fieldErrors(grant.failure)
  if (error) return <FailureNote error={error} />
  if (products?.length === 0) return <NoProducts />
  const choices = (products ?? []).filter(({ id }) => !given.includes(id))
  if (products && choices.length === 0) return <Text size="sm">{words.user.allProductsGranted}</Text>
  return (
    <DialogForm
      action={words.user.grant}
      change={grant}
      known={['product_id', 'access_due_date']}
      onSubmit={() => grant.run()}
      onCancel={onClose}
      isDisabled={product === null}
    >
      <Select
        label={words.user.product}
        placeholder={words.user.chooseProduct}
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        value={product}
        onChange={setProduct}
        searchable
        error={errors['product_id']}
        data-autofocus
      />
      <HowLong
        days={products?.find(({ id }) => id === product)?.expiration_days}
        dueDate={dueDate}
        onChange={setDueDate}
        error={errors['access_due_date']}
      />
    </DialogForm>
  )
}

interface HowLongProps {
  /** The default of the product: null means no limit, undefined that no product is chosen yet. */
  days: number | null | undefined
  /** Undefined if the default of the product applies. */
  dueDate: string | null | undefined
  onChange: (dueDate: string | null | undefined) => void
  error: string | undefined
}

function HowLong({ days, dueDate, onChange, error }: HowLongProps) {
  const { user } = useWords()
  return (
    <>
      <Radio.Group
        label={user.duration}
        value={dueDate === undefined ? 'product' : 'date'}
        onChange={(choice) => onChange(choice === 'product' ? undefined : endOfDayIn(days ?? 30))}
      >
        <Stack gap="xs" mt={4}>
          <Radio
            value="product"
            label={user.productDefault}
            description={days === undefined ? undefined : user.productDays(days)}
          />
          <Radio value="date" label={user.untilDate} />
        </Stack>
      </Radio.Group>
      {dueDate !== undefined && <DueDateInput label={user.dueDate} value={dueDate} onChange={onChange} error={error} />}
    </>
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
