/** The Worker has the same properties (test/calendar.test.ts), and the same offsets. */
import { test } from 'node:test'
import { checkZone, zonesToTry } from '../../../test/support/calendar-properties.ts'

for (const zone of zonesToTry(process.env['TIME_ZONES']))
  void test(`the calendar of ${zone} has the days that Temporal has`, () => checkZone(zone, 30))
