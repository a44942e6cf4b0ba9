import { Checkbox, Select } from '@mantine/core'
import { choiceIn } from '../../address.ts'
import type { Schemas } from '../../api/client.ts'
import { useWords } from '../../words/index.tsx'
import { LOCATIONS, LOCATIONS_IN_EU, type Location, PLACES } from './places.ts'

/** What the operator has chosen. Without a place, the service decides. */
export interface PlaceDraft {
  place: (typeof PLACES)[number] | undefined
  isInEu: boolean
  location: Location | undefined
}

export const NO_PLACE: PlaceDraft = { place: undefined, isInEu: false, location: undefined }

/** Only a store with a database of its own can choose where that is. */
export function placeBody({ place, isInEu, location }: PlaceDraft): Partial<Schemas['CreateStore']> {
  if (place !== 'own') return place === undefined ? {} : { place }
  return { place, ...(isInEu && { jurisdiction: 'eu' }), ...(location !== undefined && { location }) }
}

interface Props {
  draft: PlaceDraft
  onChange: (draft: PlaceDraft) => void
  errors: Record<string, string>
}

export function PlaceInputs({ draft, onChange, errors }: Props) {
  const { places } = useWords()
  const { place, isInEu, location } = draft
  const locations = isInEu ? LOCATIONS_IN_EU : LOCATIONS
  return (
    <>
      <Select
        label={places.title}
        description={places.hint}
        data={[
          { value: 'default', label: places.default },
          ...PLACES.map((value) => ({ value, label: places.names[value] })),
        ]}
        value={place ?? 'default'}
        onChange={(chosen) => onChange({ ...NO_PLACE, place: choiceIn(chosen, PLACES) })}
        error={errors['place']}
        allowDeselect={false}
      />
      {place === 'own' && (
        <>
          <Checkbox
            label={places.onlyInEu}
            description={places.onlyInEuHint}
            checked={isInEu}
            onChange={({ currentTarget: { checked } }) => {
              const isKept = !checked || LOCATIONS_IN_EU.some((one) => one === location)
              onChange({ place, isInEu: checked, location: isKept ? location : undefined })
            }}
            error={errors['jurisdiction']}
          />
          <Select
            label={places.location}
            description={places.locationHint}
            data={[
              { value: 'near', label: places.nearYou },
              ...locations.map((value) => ({ value, label: places.locations[value] })),
            ]}
            value={location ?? 'near'}
            onChange={(chosen) => onChange({ ...draft, location: choiceIn(chosen, locations) })}
            error={errors['location']}
            allowDeselect={false}
          />
        </>
      )}
    </>
  )
}
