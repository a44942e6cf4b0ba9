CREATE TABLE `access_tokens` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_token_hash` ON `access_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `access_tokens_store_id` ON `access_tokens` (`store_id`);--> statement-breakpoint
CREATE TABLE `custom_fields` (
	`store_id` text NOT NULL,
	`key` text NOT NULL,
	`label` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`store_id`, `key`),
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`token_id` integer NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`token_id`, `operation`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `product_accesses` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` text NOT NULL,
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
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `product_accesses_user_id_product_id` ON `product_accesses` (`user_id`,`product_id`);--> statement-breakpoint
CREATE INDEX `product_accesses_store_id` ON `product_accesses` (`store_id`);--> statement-breakpoint
CREATE TABLE `products` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`expiration_days` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_store_id_slug` ON `products` (`store_id`,`slug`);--> statement-breakpoint
CREATE INDEX `products_store_id` ON `products` (`store_id`);--> statement-breakpoint
CREATE TABLE `stores` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` text NOT NULL,
	`request_id` text NOT NULL,
	`email_key` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`last_name` text NOT NULL,
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
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_store_id_email_key` ON `users` (`store_id`,`email_key`);--> statement-breakpoint
CREATE INDEX `users_store_id` ON `users` (`store_id`);--> statement-breakpoint
CREATE INDEX `users_store_id_external_id` ON `users` (`store_id`,`external_id`) WHERE external_id is not null;