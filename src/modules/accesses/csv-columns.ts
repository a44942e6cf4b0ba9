export const ACCESS_COLUMNS = [
  'id',
  'created_at',
  'started_at',
  'completed_at',
  'access_due_date',
  'expiration_days',
  'status',
  'grade',
  'concept_grade',
  'passed',
  'progress',
  'certificate_url',
  'product_id',
  'user_id',
] as const

/** A person who reads the file knows users and products by their names. The names are next to the ids. */
export const SPREADSHEET_ACCESS_COLUMNS = [
  ...ACCESS_COLUMNS.filter((name) => name !== 'product_id' && name !== 'user_id'),
  'product_id',
  'product_slug',
  'user_id',
  'user_email',
  'user_name',
] as const
