CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` text NOT NULL,
	`type` text NOT NULL,
	`created_at` integer NOT NULL,
	`request_id` text,
	`token_id` integer,
	`user_id` integer,
	`product_id` integer,
	`product_access_id` integer,
	`access_token_id` integer,
	`webhook_endpoint_id` integer,
	`changes` text,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `events_store_id` ON `events` (`store_id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`endpoint_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`last_status` integer,
	`last_attempt_at` integer,
	`next_attempt_at` integer,
	PRIMARY KEY(`endpoint_id`, `event_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`store_id` text NOT NULL,
	`url` text NOT NULL,
	`types` text,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_secret_expires_at` integer,
	`cursor` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`retry_at` integer,
	`disabled_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_store_id` ON `webhook_endpoints` (`store_id`);--> statement-breakpoint
ALTER TABLE `access_tokens` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `product_accesses` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `product_accesses` ADD `request_id` text;