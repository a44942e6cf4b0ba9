CREATE TABLE `time_zones` (
	`name` text PRIMARY KEY NOT NULL,
	`changes` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `filter_custom_field_key` text;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `filter_custom_field_value` text;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `change_extend_months` integer;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `change_never_shorten` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `opened` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `closed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `later` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `earlier` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `limited` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_changes` ADD `unlimited` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `directory` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `event_id` integer;--> statement-breakpoint
ALTER TABLE `stores` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;