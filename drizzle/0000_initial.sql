CREATE TABLE `access_tokens` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`older_hashes` text,
	`scopes` text NOT NULL,
	`email` text,
	`email_key` text,
	`store_numbers` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`event_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_email_key` ON `access_tokens` (`email_key`) WHERE email_key is not null and revoked_at is null;--> statement-breakpoint
CREATE TABLE `bulk_changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`store` integer NOT NULL,
	`position` integer NOT NULL,
	`request_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`filter_product_id` integer,
	`filter_user_ids` text,
	`filter_status` text,
	`filter_in_force` integer,
	`filter_due_after` integer,
	`filter_due_before` integer,
	`change_status` text,
	`change_sets_due_date` integer NOT NULL,
	`change_access_due_date` integer,
	`change_extend_days` integer,
	`reverts` integer,
	`reverted_by` integer,
	`dry_run` integer NOT NULL,
	`state` text NOT NULL,
	`starts_after` integer NOT NULL,
	`cursor` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`matched` integer NOT NULL,
	`changed` integer NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`progressed_at` integer NOT NULL,
	`finished_at` integer,
	`run_id` text,
	`canceled_by` text,
	`event_id` integer,
	`last_event_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bulk_changes_position` ON `bulk_changes` (`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `bulk_changes_request_id` ON `bulk_changes` (`request_id`);--> statement-breakpoint
CREATE INDEX `bulk_changes_unfinished` ON `bulk_changes` (`store`) WHERE finished_at is null;--> statement-breakpoint
CREATE TABLE `custom_fields` (
	`id` integer PRIMARY KEY NOT NULL,
	`store` integer NOT NULL,
	`key` text NOT NULL,
	`label` text,
	`created_at` integer NOT NULL,
	`event_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_key` ON `custom_fields` (`store`,`key`);--> statement-breakpoint
CREATE TABLE `day_stats` (
	`id` integer PRIMARY KEY NOT NULL,
	`users_created` integer NOT NULL,
	`users_erased` integer NOT NULL,
	`accesses_granted` integer NOT NULL,
	`accesses_updated` integer NOT NULL,
	`accesses_expired` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `directory` (
	`number` integer PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`location` text,
	`suspended_at` integer,
	`expiry_notice_days` integer NOT NULL,
	`created_at` integer NOT NULL,
	`request_id` text NOT NULL,
	`actor_id` integer NOT NULL,
	`completed_at` integer,
	`alarm_at` integer,
	`bytes` integer DEFAULT 0 NOT NULL,
	`pending` integer DEFAULT 0 NOT NULL,
	`oldest_pending_at` integer,
	`failing` integer DEFAULT 0 NOT NULL,
	`down` integer DEFAULT 0 NOT NULL,
	`disabled` integer DEFAULT 0 NOT NULL,
	`purge_backlog` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_slug` ON `directory` (`slug`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`created_at` integer NOT NULL,
	`request_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`actor_id` integer,
	`subject_id` integer NOT NULL,
	`previous_id` integer,
	`user_id` integer,
	`product_id` integer,
	`data` text
);
--> statement-breakpoint
CREATE TABLE `fencing_tokens` (
	`request_id` text PRIMARY KEY NOT NULL,
	`attempt` integer NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`store` integer NOT NULL,
	`caller_id` integer NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`record_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`store`, `caller_id`, `operation`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`name` text PRIMARY KEY NOT NULL,
	`last_run_at` integer NOT NULL,
	`positions` text NOT NULL,
	`counts_until` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `product_accesses` (
	`id` integer PRIMARY KEY NOT NULL,
	`store` integer NOT NULL,
	`user_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`status` text NOT NULL,
	`access_due_date` integer,
	`started_at` integer,
	`completed_at` integer,
	`progress` integer NOT NULL,
	`passed` integer NOT NULL,
	`grade` text,
	`concept_grade` text,
	`certificate_url` text,
	`created_at` integer NOT NULL,
	`notified_at` integer,
	`expired_at` integer,
	`event_id` integer NOT NULL,
	`changed_by` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `product_accesses_user_id_product_id` ON `product_accesses` (`user_id`,`product_id`);--> statement-breakpoint
CREATE INDEX `product_accesses_product_id` ON `product_accesses` (`product_id`);--> statement-breakpoint
CREATE INDEX `product_accesses_to_notify` ON `product_accesses` (`store`,`access_due_date`) WHERE status = 'with_access' and access_due_date is not null and notified_at is null;--> statement-breakpoint
CREATE INDEX `product_accesses_to_expire` ON `product_accesses` (`store`,`access_due_date`) WHERE status = 'with_access' and access_due_date is not null and expired_at is null;--> statement-breakpoint
CREATE TABLE `products` (
	`id` integer PRIMARY KEY NOT NULL,
	`store` integer NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`expiration_days` integer,
	`created_at` integer NOT NULL,
	`event_id` integer NOT NULL,
	`accesses` integer DEFAULT 0 NOT NULL,
	`in_force` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_slug` ON `products` (`store`,`slug`);--> statement-breakpoint
CREATE INDEX `products_accesses` ON `products` (`store`,accesses desc) WHERE accesses > 0;--> statement-breakpoint
CREATE TABLE `store_stats` (
	`id` integer PRIMARY KEY NOT NULL,
	`cursor` integer NOT NULL,
	`counted_at` integer NOT NULL,
	`count_ms` integer NOT NULL,
	`users` integer NOT NULL,
	`accesses` integer NOT NULL,
	`in_force` integer NOT NULL,
	`ending` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stores` (
	`id` integer PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`suspended_at` integer,
	`expiry_notice_days` integer NOT NULL,
	`location` text,
	`created_at` integer NOT NULL,
	`event_id` integer NOT NULL,
	CONSTRAINT "stores_number" CHECK(id >> 32 between 1 and 2097151)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stores_slug` ON `stores` (`slug`);--> statement-breakpoint
CREATE INDEX `stores_suspended_at` ON `stores` (`suspended_at`) WHERE suspended_at is not null;--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY NOT NULL,
	`store` integer NOT NULL,
	`email_key` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`last_name` text NOT NULL,
	`name_folded` text NOT NULL,
	`last_name_folded` text NOT NULL,
	`email_folded` text,
	`phone_digits` text,
	`role` text NOT NULL,
	`language` text NOT NULL,
	`phone` text,
	`country` text,
	`external_id` text,
	`avatar` text,
	`custom_fields` text,
	`password_hash` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`event_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`store`,`email_key`);--> statement-breakpoint
CREATE INDEX `users_external_id` ON `users` (`store`,`external_id`) WHERE external_id is not null;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`types` text,
	`secret` text NOT NULL,
	`older_secrets` text,
	`disabled_at` integer,
	`resumed_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`event_id` integer NOT NULL,
	`cursor` integer NOT NULL,
	`failing_since` integer,
	`last_status` integer,
	`is_down` integer NOT NULL,
	`next_attempt_at` integer,
	`pending` integer NOT NULL,
	`oldest_pending_at` integer
);
