import { NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LENGTH, MAX_EXPIRATION_DAYS } from '../../../../src/limits.ts'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { changed } from '../../forms/changed.ts'
import { emptyOr, filled, integerFrom, isSlug } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { useWords } from '../../words/index.tsx'

interface Props {
  store: string
  /** Undefined while a new product is created. */
  product: Schemas['Product'] | undefined
  onClose: () => void
}

type Fields = Pick<Schemas['Product'], 'name' | 'slug' | 'type' | 'expiration_days'>

export function ProductForm({ store, product, onClose }: Props) {
  const words = useWords()
  const [name, setName] = useState(product?.name ?? '')
  const [slug, setSlug] = useState(product?.slug ?? '')
  const [type, setType] = useState(product?.type ?? '')
  const [days, setDays] = useState<number | string>(product?.expiration_days ?? '')
  const expiration_days = days === '' ? null : Number(days)
  const save = useChange<void, Schemas['Product']>({
    change: () => {
      const path = { store_id: store }
      if (product === undefined) {
        const body = { name, slug, type, ...(expiration_days !== null && { expiration_days }) }
        return bodyOf(api.POST('/admin/stores/{store_id}/products', { params: { path }, body }))
      }
      return bodyOf(
        api.PATCH('/admin/stores/{store_id}/products/{id}', {
          params: { path: { ...path, id: product.id } },
          body: changed<Fields>(product, { name, slug, type, expiration_days }),
        }),
      )
    },
    done: product === undefined ? words.products.created : words.common.saved,
    onDone: onClose,
  })
  const errors = useFormErrors(save.failure, {
    name: [name, filled(LENGTH.name)],
    slug: [slug, isSlug],
    type: [type, filled(LENGTH.name)],
    expiration_days: [String(days), emptyOr(integerFrom(1, MAX_EXPIRATION_DAYS))],
  })
  return (
    <DialogForm
      action={product === undefined ? words.common.create : words.common.save}
      change={save}
      errors={errors}
      onSubmit={save.run}
      onCancel={onClose}
    >
      <TextInput
        label={words.common.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={errors.shown['name']}
        required
        data-autofocus
      />
      <TextInput
        label={words.products.slug}
        description={words.products.slugHint}
        value={slug}
        onChange={({ currentTarget }) => setSlug(currentTarget.value)}
        error={errors.shown['slug']}
        required
      />
      <TextInput
        label={words.products.type}
        description={words.products.typeHint}
        value={type}
        onChange={({ currentTarget }) => setType(currentTarget.value)}
        error={errors.shown['type']}
        required
      />
      <NumberInput
        label={words.products.durationDays}
        description={words.products.durationHint}
        value={days}
        onChange={setDays}
        error={errors.shown['expiration_days']}
        min={1}
        max={MAX_EXPIRATION_DAYS}
        allowDecimal={false}
        clampBehavior="none"
      />
    </DialogForm>
  )
}
