import { NumberInput, TextInput } from '@mantine/core'
import { LENGTH, MAX_EXPIRATION_DAYS } from '../../../../../src/limits.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { emptyOr, filled, integerFrom, isSlug } from '../../forms/checks.ts'
import { useRecordForm } from '../../forms/use-record-form.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { useWords } from '../../words/index.tsx'

interface Props {
  store: string
  product: Schemas['Product'] | undefined
  onClose: () => void
}

type Fields = Pick<Schemas['Product'], 'name' | 'slug' | 'type' | 'expiration_days'>

const EMPTY: Fields = { name: '', slug: '', type: '', expiration_days: null }

export function ProductForm({ store, product, onClose }: Props) {
  const { common, products } = useWords()
  const path = { store_id: store }
  const { text, input, form } = useRecordForm<Fields, Schemas['Product']>({
    before: product ?? EMPTY,
    checks: ({ name, slug, type, expiration_days }) => ({
      name: [name, filled(LENGTH.name)],
      slug: [slug, isSlug],
      type: [type, filled(LENGTH.name)],
      expiration_days: [String(expiration_days ?? ''), emptyOr(integerFrom(1, MAX_EXPIRATION_DAYS))],
    }),
    send: ({ name, slug, type, expiration_days }, changes) => {
      if (product !== undefined) {
        const { id } = product
        return bodyOf(
          api.PATCH('/admin/stores/{store_id}/products/{id}', { params: { path: { ...path, id } }, body: changes }),
        )
      }
      const body = { name, slug, type, ...(expiration_days !== null && { expiration_days }) }
      return bodyOf(api.POST('/admin/stores/{store_id}/products', { params: { path }, body }))
    },
    done: product === undefined ? products.created : common.saved,
    onDone: onClose,
  })
  const days = input('expiration_days')
  return (
    <DialogForm {...form} action={product === undefined ? common.create : common.save} onCancel={onClose}>
      <TextInput {...text('name')} label={common.name} required data-autofocus />
      <TextInput {...text('slug')} label={products.slug} description={products.slugHint} required />
      <TextInput {...text('type')} label={products.type} description={products.typeHint} required />
      <NumberInput
        label={products.durationDays}
        description={products.durationHint}
        value={days.value ?? ''}
        onChange={(typed) => days.onChange(typed === '' ? null : Number(typed))}
        error={days.error}
        min={1}
        max={MAX_EXPIRATION_DAYS}
        allowDecimal={false}
        clampBehavior="none"
      />
    </DialogForm>
  )
}
