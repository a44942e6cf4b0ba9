import { SearchSelect } from '../../parts/search-select.tsx'
import { useWords } from '../../words/index.tsx'

interface Props {
  value: string
  onChange: (zone: string) => void
  error: string | undefined
}

/** The time zone of a store. An older name of a zone, which the browser does not list, stays as it is. */
export function ZoneSelect({ value, onChange, error }: Props) {
  const { stores } = useWords()
  const zones = [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])]
  return (
    <SearchSelect
      label={stores.timeZone}
      description={stores.timeZoneHint}
      data={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      value={value}
      onChange={(zone) => zone !== null && onChange(zone)}
      error={error}
    />
  )
}
