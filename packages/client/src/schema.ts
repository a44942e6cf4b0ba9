/** The OpenAPI document as types. `npm run generate` writes it. */
export interface paths {
    "/v3/public/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a user (public v3)
         * @description The user belongs to the store of the token. The user is registered at once, and no confirmation email is sent. Unknown fields are ignored.
         *
         *     Scope: `users:write`.
         */
        post: operations["createPublicUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List, find or search users
         * @description All users by id, or the users that match every filter: the email, the id in your own system, a list of ids, or what a person types into a search field (`q`).
         *
         *     Scope: `users:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/users`, role `viewer`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description The user is registered at once, and no confirmation email is sent. Unknown fields are ignored. An optional field that is null counts as omitted.
         *
         *     Scope: `users:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/users`, role `office`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List, find or search users (operator)
         * @description All users by id, or the users that match every filter: the email, the id in your own system, a list of ids, or what a person types into a search field (`q`).
         *
         *     Role: `viewer`.
         */
        get: operations["listUsersAsOperator"];
        put?: never;
        /**
         * Create a user (operator)
         * @description The user is registered at once, and no confirmation email is sent. Unknown fields are ignored. An optional field that is null counts as omitted.
         *
         *     Role: `office`.
         */
        post: operations["createUserAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description The user, with an ETag that a later change can send as `If-Match`.
         *
         *     Scope: `users:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/users/{id}`, role `viewer`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Erase a user
         * @description Deletes the user and their accesses. The events stay, because they contain no personal data. The email is free again, and a new user with this email gets a new id. A create that is repeated with its old idempotency key is 404.
         *
         *     Scope: `users:erase`.
         *
         *     Also for operators: `DELETE /admin/stores/{store_id}/users/{id}`, role `admin`.
         */
        delete: operations["eraseUser"];
        options?: never;
        head?: never;
        /**
         * Correct a user
         * @description Changes the fields that are sent and keeps the others. Null removes an optional field. If nothing would change, no event is written.
         *
         *     Scope: `users:write`.
         *
         *     Also for operators: `PATCH /admin/stores/{store_id}/users/{id}`, role `office`.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/admin/stores/{store_id}/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user (operator)
         * @description The user, with an ETag that a later change can send as `If-Match`.
         *
         *     Role: `viewer`.
         */
        get: operations["getUserAsOperator"];
        put?: never;
        post?: never;
        /**
         * Erase a user (operator)
         * @description Deletes the user and their accesses. The events stay, because they contain no personal data. The email is free again, and a new user with this email gets a new id. A create that is repeated with its old idempotency key is 404.
         *
         *     Role: `admin`.
         */
        delete: operations["eraseUserAsOperator"];
        options?: never;
        head?: never;
        /**
         * Correct a user (operator)
         * @description Changes the fields that are sent and keeps the others. Null removes an optional field. If nothing would change, no event is written.
         *
         *     Role: `office`.
         */
        patch: operations["updateUserAsOperator"];
        trace?: never;
    };
    "/v1/stores/{store_id}/users/verify_password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the password of a user
         * @description For your own sign-in. It takes about the same time whether the email, the password or both are wrong. About 10 attempts in 60 seconds are allowed for each email of a store, whether they succeed or not, and about 60 for each token. After that, the response is 429.
         *
         *     Scope: `passwords:verify`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/users/verify_password`, role `admin`.
         */
        post: operations["verifyPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/users/verify_password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the password of a user (operator)
         * @description For your own sign-in. It takes about the same time whether the email, the password or both are wrong. About 10 attempts in 60 seconds are allowed for each email of a store, whether they succeed or not, and about 60 for each token. After that, the response is 429.
         *
         *     Role: `admin`.
         */
        post: operations["verifyPasswordAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/product_accesses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an access
         * @description The access with its product and its user. The ETag covers the fields of the access: it does not change when the user or the product is renamed.
         *
         *     Scope: `product_accesses:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/product_accesses/{id}`, role `viewer`.
         */
        get: operations["getProductAccess"];
        /**
         * Change the status or the due date of an access
         * @description An omitted field keeps its value. `{}` changes nothing and returns the access. Success is 201. Unknown fields are ignored.
         *
         *     Scope: `product_accesses:write`.
         *
         *     Also for operators: `PUT /admin/stores/{store_id}/product_accesses/{id}`, role `office`.
         */
        put: operations["updateProductAccess"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Record the progress of a user
         * @description Changes the fields that are sent and keeps the others. Null removes an optional field.
         *
         *     Scope: `product_accesses:write`.
         *
         *     Also for operators: `PATCH /admin/stores/{store_id}/product_accesses/{id}`, role `office`.
         */
        patch: operations["recordProgress"];
        trace?: never;
    };
    "/admin/stores/{store_id}/product_accesses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an access (operator)
         * @description The access with its product and its user. The ETag covers the fields of the access: it does not change when the user or the product is renamed.
         *
         *     Role: `viewer`.
         */
        get: operations["getProductAccessAsOperator"];
        /**
         * Change the status or the due date of an access (operator)
         * @description An omitted field keeps its value. `{}` changes nothing and returns the access. Success is 201. Unknown fields are ignored.
         *
         *     Role: `office`.
         */
        put: operations["updateProductAccessAsOperator"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Record the progress of a user (operator)
         * @description Changes the fields that are sent and keeps the others. Null removes an optional field.
         *
         *     Role: `office`.
         */
        patch: operations["recordProgressAsOperator"];
        trace?: never;
    };
    "/v1/stores/{store_id}/product_accesses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or find accesses
         * @description All accesses by id, or the accesses that match every filter. With `status`, `in_force`, `due_after` or `due_before`, one request examines at most 5,000 accesses, and with a custom field at most 2,000: a page may be short or empty while `next` says where to continue.
         *
         *     Scope: `product_accesses:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/product_accesses`, role `viewer`.
         */
        get: operations["listProductAccesses"];
        put?: never;
        /**
         * Give a user access to a product
         * @description A user has at most one access to a product. A second grant is 422 `access_exists`, and `X-Existing-Id` names the existing access.
         *
         *     Scope: `product_accesses:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/product_accesses`, role `office`.
         */
        post: operations["grantProductAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/product_accesses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or find accesses (operator)
         * @description All accesses by id, or the accesses that match every filter. With `status`, `in_force`, `due_after` or `due_before`, one request examines at most 5,000 accesses, and with a custom field at most 2,000: a page may be short or empty while `next` says where to continue.
         *
         *     Role: `viewer`.
         */
        get: operations["listProductAccessesAsOperator"];
        put?: never;
        /**
         * Give a user access to a product (operator)
         * @description A user has at most one access to a product. A second grant is 422 `access_exists`, and `X-Existing-Id` names the existing access.
         *
         *     Role: `office`.
         */
        post: operations["grantProductAccessAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/product_accesses/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend an access
         * @description What a paid renewal does: the access ends so many days or months later, and never earlier. They are counted from its due date, or from now if that has passed, by the calendar of the time zone of the store: the time of day stays, the end of a day becomes the end of the new day, and a month that has no such day ends with its last day. An access without a date stays as it is, and so does one that would move beyond the year 9999; the status does not change. Send the order as `X-Idempotency-Key`: without a key, a request that is sent again extends again.
         *
         *     Scope: `product_accesses:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/product_accesses/{id}/extend`, role `office`.
         */
        post: operations["extendProductAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/product_accesses/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend an access (operator)
         * @description What a paid renewal does: the access ends so many days or months later, and never earlier. They are counted from its due date, or from now if that has passed, by the calendar of the time zone of the store: the time of day stays, the end of a day becomes the end of the new day, and a month that has no such day ends with its last day. An access without a date stays as it is, and so does one that would move beyond the year 9999; the status does not change. Send the order as `X-Idempotency-Key`: without a key, a request that is sent again extends again.
         *
         *     Role: `office`.
         */
        post: operations["extendProductAccessAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/users/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many users
         * @description A failed item does not affect the others. If two items are for the same record, the later one is 422. Repeating the request, for example after a lost response, creates nothing twice. The body may have up to 1,048,576 bytes. At most 10 items may have a password. Items that exceed the rate limit of passwords are 429, and then the response has `Retry-After`.
         *
         *     Scope: `users:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/users/batch`, role `office`.
         */
        post: operations["createUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/users/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many users (operator)
         * @description A failed item does not affect the others. If two items are for the same record, the later one is 422. Repeating the request, for example after a lost response, creates nothing twice. The body may have up to 1,048,576 bytes. At most 10 items may have a password. Items that exceed the rate limit of passwords are 429, and then the response has `Retry-After`.
         *
         *     Role: `office`.
         */
        post: operations["createUsersAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/product_accesses/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant or update many accesses
         * @description A failed item does not affect the others. If two items are for the same record, the later one is 422. Repeating the request, for example after a lost response, creates nothing twice. The body may have up to 1,048,576 bytes.
         *
         *     Scope: `product_accesses:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/product_accesses/batch`, role `office`.
         */
        post: operations["grantProductAccesses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/product_accesses/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant or update many accesses (operator)
         * @description A failed item does not affect the others. If two items are for the same record, the later one is 422. Repeating the request, for example after a lost response, creates nothing twice. The body may have up to 1,048,576 bytes.
         *
         *     Role: `office`.
         */
        post: operations["grantProductAccessesAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/bulk_changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bulk changes of a store
         * @description All bulk changes, the newest first.
         *
         *     Scope: `product_accesses:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/bulk_changes`, role `viewer`.
         */
        get: operations["listBulkChanges"];
        put?: never;
        /**
         * Change many accesses
         * @description The service carries it out after the response: read the bulk change to follow its progress. Each access that matches when it is reached is changed once, and has an event `product_access.updated` with `bulk_change_id`. An access that is granted meanwhile need not be reached. A store has at most 20 bulk changes that have not ended, dry runs and reverts included; beyond that the response is 422 `limit_reached`. If its token is revoked or its store is suspended, it is canceled within two minutes, before it changes more; what an operator has created runs on. That the token expires does not end it.
         *
         *     Scope: `product_accesses:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/bulk_changes`, role `office`.
         */
        post: operations["createBulkChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/bulk_changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bulk changes of a store (operator)
         * @description All bulk changes, the newest first.
         *
         *     Role: `viewer`.
         */
        get: operations["listBulkChangesAsOperator"];
        put?: never;
        /**
         * Change many accesses (operator)
         * @description The service carries it out after the response: read the bulk change to follow its progress. Each access that matches when it is reached is changed once, and has an event `product_access.updated` with `bulk_change_id`. An access that is granted meanwhile need not be reached. A store has at most 20 bulk changes that have not ended, dry runs and reverts included; beyond that the response is 422 `limit_reached`. If its token is revoked or its store is suspended, it is canceled within two minutes, before it changes more; what an operator has created runs on. That the token expires does not end it.
         *
         *     Role: `office`.
         */
        post: operations["createBulkChangeAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/bulk_changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a bulk change
         * @description The bulk change with its progress and its counts so far.
         *
         *     Scope: `product_accesses:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/bulk_changes/{id}`, role `viewer`.
         */
        get: operations["getBulkChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/bulk_changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a bulk change (operator)
         * @description The bulk change with its progress and its counts so far.
         *
         *     Role: `viewer`.
         */
        get: operations["getBulkChangeAsOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/bulk_changes/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a bulk change
         * @description What it has changed stays; `revert` takes it back. Once it has ended, the response is 422 `not_running`.
         *
         *     Scope: `product_accesses:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/bulk_changes/{id}/cancel`, role `office`.
         */
        post: operations["cancelBulkChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/bulk_changes/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a bulk change (operator)
         * @description What it has changed stays; `revert` takes it back. Once it has ended, the response is 422 `not_running`.
         *
         *     Role: `office`.
         */
        post: operations["cancelBulkChangeAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/bulk_changes/{id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a bulk change back
         * @description Creates a bulk change that gives each access the status and the due date that it had before, if both are still what the first bulk change has set. Until that one has ended, once it was reverted, and once its events are no longer kept, the response is 422 `not_done`; a revert that was canceled or has failed may be repeated.
         *
         *     Scope: `product_accesses:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/bulk_changes/{id}/revert`, role `office`.
         */
        post: operations["revertBulkChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/bulk_changes/{id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a bulk change back (operator)
         * @description Creates a bulk change that gives each access the status and the due date that it had before, if both are still what the first bulk change has set. Until that one has ended, once it was reverted, and once its events are no longer kept, the response is 422 `not_done`; a revert that was canceled or has failed may be repeated.
         *
         *     Role: `office`.
         */
        post: operations["revertBulkChangeAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/users.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export users as CSV
         * @description RFC 4180, with a header row. The file is streamed, so a million lines need no more memory than a thousand. If reading fails midway, the connection is closed, so that a partial file is never taken for a complete one. It has a column for each field of the user, a column for each custom field of the store (`custom_fields.x`), and a column `custom_fields` with the values of all other fields as JSON. `npm run import` reads it.
         *
         *     Role: `viewer`.
         */
        get: operations["exportUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/product_accesses.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export accesses as CSV
         * @description RFC 4180, with a header row. The file is streamed, so a million lines need no more memory than a thousand. If reading fails midway, the connection is closed, so that a partial file is never taken for a complete one. It has a column for each field of the access, and `product_id` and `user_id`. With `spreadsheet=true` it also has `product_slug`, `user_email` and `user_name` (first and last name).
         *
         *     Role: `viewer`.
         */
        get: operations["exportProductAccesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of a store
         * @description Events in the order in which they were committed. To follow them, store `cursor` and send it as `after` in the next request. No event is ever skipped, whoever writes at the same time. One request reads at most 5,000 events: with a filter, the page may be short or empty while `next` says where to continue. Events are kept for 90 days unless the operator has configured otherwise.
         *
         *     Scope: `events:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/events`, role `viewer`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of a store (operator)
         * @description Events in the order in which they were committed. To follow them, store `cursor` and send it as `after` in the next request. No event is ever skipped, whoever writes at the same time. One request reads at most 5,000 events: with a filter, the page may be short or empty while `next` says where to continue. Events are kept for 90 days unless the operator has configured otherwise.
         *
         *     Role: `viewer`.
         */
        get: operations["listEventsAsOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/users/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of a user
         * @description The events of the types `user.*`, the newest first. Each access has a history of its own.
         *
         *     Scope: `events:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/users/{id}/events`, role `viewer`.
         */
        get: operations["listUserEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/users/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of a user (operator)
         * @description The events of the types `user.*`, the newest first. Each access has a history of its own.
         *
         *     Role: `viewer`.
         */
        get: operations["listUserEventsAsOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/product_accesses/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of an access
         * @description Who changed what and when, the newest first.
         *
         *     Scope: `events:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/product_accesses/{id}/events`, role `viewer`.
         */
        get: operations["listProductAccessEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/product_accesses/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of an access (operator)
         * @description Who changed what and when, the newest first.
         *
         *     Role: `viewer`.
         */
        get: operations["listProductAccessEventsAsOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of operators
         * @description The events of the types `operator.*`, which belong to no store.
         *
         *     Role: `viewer`, not limited to stores.
         */
        get: operations["listOperatorEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the token of this request
         * @description Checks a credential, whatever its scopes, and returns what it may do and when it expires.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/token/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give the token of this request a new secret
         * @description It remains the same token, with its id, name, scopes and idempotency keys, and its previous secret stays valid for `overlap_hours`. Only the current secret may call this: with an older one, which is still valid elsewhere, the response is 401, and `message` says that the token has been rotated since. At most four secrets are valid at once.
         */
        post: operations["rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the access tokens of a store
         * @description All tokens by id, including revoked and expired ones, without their secrets.
         *
         *     Role: `viewer`.
         */
        get: operations["listAccessTokens"];
        put?: never;
        /**
         * Issue an access token
         * @description The token itself is only in this response, because only its hash is stored.
         *
         *     Role: `admin`.
         */
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an access token
         * @description The token is rejected everywhere from the next request. Revoking it again is 404.
         *
         *     Role: `admin`.
         */
        delete: operations["revokeAccessToken"];
        options?: never;
        head?: never;
        /**
         * Change the name, the scopes or the expiry of a token
         * @description The change applies from the next request. A revoked token is 404.
         *
         *     Role: `admin`.
         */
        patch: operations["updateAccessToken"];
        trace?: never;
    };
    "/admin/stores/{store_id}/tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a token a new secret
         * @description It remains the same token, with its id, name, scopes and idempotency keys. The previous secret stays valid for `overlap_hours`. At most four secrets are valid at once. Of concurrent rotations with `overlap_hours: 0`, each returns a token, but only the secret of the last one works. A revoked token is 404.
         *
         *     Role: `admin`.
         */
        post: operations["rotateAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/tokens/revoke_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke every access token of a store
         * @description For emergencies: every token of the store is rejected from the next request.
         *
         *     Role: `admin`.
         */
        post: operations["revokeAllAccessTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stores
         * @description All stores by id. Name, language, time zone and suspension of a store with the place `own` are at most two minutes old.
         *
         *     Role: `viewer`.
         */
        get: operations["listStores"];
        put?: never;
        /**
         * Create a store
         * @description If another store has the id, the response is 422 `already_exists`. If the creation of a store with the place `own` is interrupted, the same request completes it, and so does any other request for the store.
         *
         *     Role: `admin`, not limited to stores.
         */
        post: operations["createStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a store
         * @description The settings of the store.
         *
         *     Role: `viewer`.
         */
        get: operations["getStore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change or suspend a store
         * @description Changes the fields that are sent and keeps the others. The change applies from the next request.
         *
         *     Role: `admin`.
         */
        patch: operations["updateStore"];
        trace?: never;
    };
    "/admin/stores/{store_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the totals of a store and what happened day by day
         * @description A job looks every minute for stores that have changed and counts them, and this reads what it has counted, so that a large store costs no more than a small one. A store that takes long to count is counted less often. Of changes made during a count, any may be in it. The counts of days outlive the events.
         *
         *     Role: `viewer`.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/custom_fields/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Define a custom field, or change its label
         * @description Users may have a value for it from the next request.
         *
         *     Role: `admin`.
         */
        put: operations["putCustomField"];
        post?: never;
        /**
         * Remove a custom field
         * @description New values are rejected from the next request. Users keep the values that they have.
         *
         *     Role: `admin`.
         */
        delete: operations["deleteCustomField"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/custom_fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields of a store
         * @description All custom fields by key.
         *
         *     Scope: `products:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/custom_fields`, role `viewer`.
         */
        get: operations["listCustomFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/custom_fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields of a store (operator)
         * @description All custom fields by key.
         *
         *     Role: `viewer`.
         */
        get: operations["listCustomFieldsAsOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products of a store, or find one (operator)
         * @description All products by id, or the one with the slug.
         *
         *     Role: `viewer`.
         */
        get: operations["listProductsAsOperator"];
        put?: never;
        /**
         * Create a product
         * @description Users can be given access to it from the next request.
         *
         *     Role: `admin`.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products of a store, or find one
         * @description All products by id, or the one with the slug.
         *
         *     Scope: `products:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/products`, role `viewer`.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a product
         * @description If there are accesses to the product, even closed ones, the response is 422 `in_use`.
         *
         *     Role: `admin`.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /**
         * Change a product
         * @description Changes the fields that are sent and keeps the others. The due dates of existing accesses do not change.
         *
         *     Role: `admin`.
         */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/v1/stores/{store_id}/webhook_endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints of a store
         * @description All endpoints by id, including disabled ones, without their secrets.
         *
         *     Scope: `webhooks:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/webhook_endpoints`, role `viewer`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description The events of the store from now on are posted to the URL, each until a response is 2xx, for three days. A store has at most 16 endpoints; beyond that the response is 422 `limit_reached`. The secret that signs them is only in this response.
         *
         *     Scope: `webhooks:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/webhook_endpoints`, role `admin`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/webhook_endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints of a store (operator)
         * @description All endpoints by id, including disabled ones, without their secrets.
         *
         *     Role: `viewer`.
         */
        get: operations["listWebhookEndpointsAsOperator"];
        put?: never;
        /**
         * Create a webhook endpoint (operator)
         * @description The events of the store from now on are posted to the URL, each until a response is 2xx, for three days. A store has at most 16 endpoints; beyond that the response is 422 `limit_reached`. The secret that signs them is only in this response.
         *
         *     Role: `admin`.
         */
        post: operations["createWebhookEndpointAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/webhook_endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Shows whether the endpoint works and when the next attempt is made.
         *
         *     Scope: `webhooks:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/webhook_endpoints/{id}`, role `viewer`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing more is sent to it, and pending deliveries are dropped.
         *
         *     Scope: `webhooks:write`.
         *
         *     Also for operators: `DELETE /admin/stores/{store_id}/webhook_endpoints/{id}`, role `admin`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change the URL or the types of a webhook endpoint
         * @description Pending deliveries go to the new URL. An endpoint that is down is probed there at once.
         *
         *     Scope: `webhooks:write`.
         *
         *     Also for operators: `PATCH /admin/stores/{store_id}/webhook_endpoints/{id}`, role `admin`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/admin/stores/{store_id}/webhook_endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint (operator)
         * @description Shows whether the endpoint works and when the next attempt is made.
         *
         *     Role: `viewer`.
         */
        get: operations["getWebhookEndpointAsOperator"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint (operator)
         * @description Nothing more is sent to it, and pending deliveries are dropped.
         *
         *     Role: `admin`.
         */
        delete: operations["deleteWebhookEndpointAsOperator"];
        options?: never;
        head?: never;
        /**
         * Change the URL or the types of a webhook endpoint (operator)
         * @description Pending deliveries go to the new URL. An endpoint that is down is probed there at once.
         *
         *     Role: `admin`.
         */
        patch: operations["updateWebhookEndpointAsOperator"];
        trace?: never;
    };
    "/v1/stores/{store_id}/webhook_endpoints/{id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new secret
         * @description Each delivery is signed with every valid secret: the new one and, for `overlap_hours`, the previous ones. At most four secrets are valid at once. Of concurrent rotations with `overlap_hours: 0`, only the secret of the last one signs.
         *
         *     Scope: `webhooks:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/webhook_endpoints/{id}/rotate_secret`, role `admin`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/webhook_endpoints/{id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new secret (operator)
         * @description Each delivery is signed with every valid secret: the new one and, for `overlap_hours`, the previous ones. At most four secrets are valid at once. Of concurrent rotations with `overlap_hours: 0`, only the secret of the last one signs.
         *
         *     Role: `admin`.
         */
        post: operations["rotateWebhookSecretAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/webhook_endpoints/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook endpoint that is disabled or failing
         * @description Pending deliveries, and everything that has happened since, are sent at once; an endpoint that is down is probed first. The count of failures starts again.
         *
         *     Scope: `webhooks:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/webhook_endpoints/{id}/enable`, role `admin`.
         */
        post: operations["enableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/webhook_endpoints/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook endpoint that is disabled or failing (operator)
         * @description Pending deliveries, and everything that has happened since, are sent at once; an endpoint that is down is probed first. The count of failures starts again.
         *
         *     Role: `admin`.
         */
        post: operations["enableWebhookEndpointAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/webhook_endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a webhook endpoint
         * @description Posts a `webhook_endpoint.test` at once, independently of pending deliveries, and returns the result. A failure of the endpoint is a normal result: the response is 200, and the endpoint does not count as failing. A success ends the state `down`. Tests and redeliveries together are limited to about 10 in 60 seconds for an endpoint, and about 60 for a store.
         *
         *     Scope: `webhooks:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/webhook_endpoints/{id}/test`, role `admin`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/webhook_endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a webhook endpoint (operator)
         * @description Posts a `webhook_endpoint.test` at once, independently of pending deliveries, and returns the result. A failure of the endpoint is a normal result: the response is 200, and the endpoint does not count as failing. A success ends the state `down`. Tests and redeliveries together are limited to about 10 in 60 seconds for an endpoint, and about 60 for a store.
         *
         *     Role: `admin`.
         */
        post: operations["testWebhookEndpointAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/webhook_endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to an endpoint
         * @description Past and pending deliveries, by the id of the event, the newest first. Of the events that were not attempted yet, it has the next 100.
         *
         *     Scope: `webhooks:read`.
         *
         *     Also for operators: `GET /admin/stores/{store_id}/webhook_endpoints/{id}/deliveries`, role `viewer`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/webhook_endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to an endpoint (operator)
         * @description Past and pending deliveries, by the id of the event, the newest first. Of the events that were not attempted yet, it has the next 100.
         *
         *     Role: `viewer`.
         */
        get: operations["listWebhookDeliveriesAsOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stores/{store_id}/webhook_endpoints/{id}/deliveries/{event_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again
         * @description Posts the event at once, with the same `webhook-id` and independently of pending deliveries, and returns the result. Redeliveries and tests together are limited to about 10 in 60 seconds for an endpoint, and about 60 for a store. A success ends the state `down` of the endpoint; a failure does not count.
         *
         *     Scope: `webhooks:write`.
         *
         *     Also for operators: `POST /admin/stores/{store_id}/webhook_endpoints/{id}/deliveries/{event_id}/redeliver`, role `admin`.
         */
        post: operations["redeliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stores/{store_id}/webhook_endpoints/{id}/deliveries/{event_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again (operator)
         * @description Posts the event at once, with the same `webhook-id` and independently of pending deliveries, and returns the result. Redeliveries and tests together are limited to about 10 in 60 seconds for an endpoint, and about 60 for a store. A success ends the state `down` of the endpoint; a failure does not count.
         *
         *     Role: `admin`.
         */
        post: operations["redeliverEventAsOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the operators
         * @description All operators by id, including revoked ones. The root is not in the list.
         *
         *     Role: `viewer`, not limited to stores.
         */
        get: operations["listOperators"];
        put?: never;
        /**
         * Create an operator
         * @description Only the root may do this. The token is only in this response, because only its hash is stored.
         *
         *     Role: `root`.
         */
        post: operations["createOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/operators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an operator
         * @description Only the root may do this. The token is rejected from the next request. Revoking the operator again is 404.
         *
         *     Role: `root`.
         */
        delete: operations["revokeOperator"];
        options?: never;
        head?: never;
        /**
         * Change an operator
         * @description Only the root may do this. It takes effect with the next request of the operator. A revoked operator is 404.
         *
         *     Role: `root`.
         */
        patch: operations["updateOperator"];
        trace?: never;
    };
    "/admin/operator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the operator of this request
         * @description Checks a credential and returns what it may do.
         *
         *     Role: `viewer`.
         */
        get: operations["getCallingOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the service and its database respond
         * @description For monitoring, without a token. Each instance queries the database at most once a second.
         */
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of the database, the webhooks and the jobs
         * @description The numbers that an operator monitors, for all stores together.
         *
         *     Role: `viewer`, not limited to stores.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "webhook_endpoint.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.test
         * @description Somebody tests an endpoint: this is posted to it, and to no other. It is in no feed.
         */
        post: operations["receiveWebhookEndpointTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * user.created
         * @description A user was created on v1, on v3 or in a batch.
         */
        post: operations["receiveUserCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * user.erased
         * @description A user was erased, together with all their accesses. The id is never used again.
         */
        post: operations["receiveUserErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * user.updated
         * @description Fields of a user have changed. The event names the fields, without their values.
         */
        post: operations["receiveUserUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product_access.granted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * product_access.granted
         * @description A user was given access to a product.
         */
        post: operations["receiveProductAccessGranted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product_access.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * product_access.expiring
         * @description An access ends soon: its due date is at most `expiry_notice_days` away, a setting of the store. The service writes this event by itself, once for each due date.
         */
        post: operations["receiveProductAccessExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product_access.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * product_access.expired
         * @description The due date of an open access has passed. The service writes this event by itself, once for each due date and usually within two minutes.
         */
        post: operations["receiveProductAccessExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product_access.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * product_access.updated
         * @description The status or the due date of an access has changed. If a bulk change has changed it, `data` has `bulk_change_id`.
         */
        post: operations["receiveProductAccessUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product_access.progressed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * product_access.progressed
         * @description Progress, a grade or a certificate was recorded. The event names the fields, without their values.
         */
        post: operations["receiveProductAccessProgressed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "access_token.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * access_token.created
         * @description An access token was issued.
         */
        post: operations["receiveAccessTokenCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "access_token.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * access_token.rotated
         * @description An access token got a new secret.
         */
        post: operations["receiveAccessTokenRotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "access_token.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * access_token.revoked
         * @description An access token was revoked.
         */
        post: operations["receiveAccessTokenRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "access_token.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * access_token.updated
         * @description The name, the scopes or the expiry of an access token have changed.
         */
        post: operations["receiveAccessTokenUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "store.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * store.created
         * @description The store was created. This is its first event.
         */
        post: operations["receiveStoreCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "store.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * store.restored
         * @description The database was restored to an earlier time. The ids between the previous event and this one are a gap: if you have read events from the gap, what they report may have been undone.
         */
        post: operations["receiveStoreRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "store.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * store.updated
         * @description The name, the language, the suspension or the expiry notice of the store has changed.
         */
        post: operations["receiveStoreUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * product.created
         * @description A product was created.
         */
        post: operations["receiveProductCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * product.deleted
         * @description A product was deleted.
         */
        post: operations["receiveProductDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * product.updated
         * @description Fields of a product have changed.
         */
        post: operations["receiveProductUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "custom_field.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * custom_field.created
         * @description A custom field was defined.
         */
        post: operations["receiveCustomFieldCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "custom_field.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * custom_field.deleted
         * @description A custom field was removed. Users keep the values that they have.
         */
        post: operations["receiveCustomFieldDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "custom_field.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * custom_field.updated
         * @description The label of a custom field has changed.
         */
        post: operations["receiveCustomFieldUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.created
         * @description A webhook endpoint was created. It receives the events after this one.
         */
        post: operations["receiveWebhookEndpointCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.deleted
         * @description A webhook endpoint was deleted.
         */
        post: operations["receiveWebhookEndpointDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.disabled
         * @description The service has disabled a webhook endpoint, because it responded 410 or had no success for three days. Nothing more is sent to it.
         */
        post: operations["receiveWebhookEndpointDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.enabled
         * @description A webhook endpoint that was disabled or failing was enabled. Delivery resumes at once.
         */
        post: operations["receiveWebhookEndpointEnabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.updated
         * @description The URL, the types or the secret of a webhook endpoint has changed. A new URL is shown as `fields: ["url"]`, because URLs may contain secrets, and new types as `changes`. A new secret shows neither.
         */
        post: operations["receiveWebhookEndpointUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_change.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * bulk_change.created
         * @description A bulk change was created. Each access that it changes has its own event, with `bulk_change_id` in `data`.
         */
        post: operations["receiveBulkChangeCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_change.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * bulk_change.canceled
         * @description A bulk change was canceled. What it has changed stays.
         */
        post: operations["receiveBulkChangeCanceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_change.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * bulk_change.finished
         * @description A bulk change has ended: it is `done`, or it has `failed` after an hour without progress.
         */
        post: operations["receiveBulkChangeFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description An access token, without its secret. */
        AccessToken: {
            /** @description The number of the token in its store. It stays the same when the token is rotated. It is not a secret. */
            id: string;
            /** @description What the token is for, as its operator named it. */
            name: string;
            /** @description What the token may do. */
            scopes: ("users:read" | "users:write" | "users:erase" | "passwords:verify" | "product_accesses:read" | "product_accesses:write" | "products:read" | "events:read" | "webhooks:read" | "webhooks:write")[];
            /**
             * Format: date-time
             * @description When the token was issued.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the token expires. Null if it never expires.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the token was revoked. Null if it was not.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description The day on which the token was last used for a change or a read, at 00:00 UTC. Recorded right after the response.
             */
            last_used_at: string | null;
        };
        /**
         * @description - `access_token.created`: An access token was issued.
         *     - `access_token.rotated`: An access token got a new secret.
         *     - `access_token.revoked`: An access token was revoked.
         */
        AccessTokenEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "access_token.created" | "access_token.rotated" | "access_token.revoked";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the access token. */
                access_token_id: string;
            };
        };
        /** @description A page of tokens. */
        AccessTokenPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["AccessToken"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description - `access_token.updated`: The name, the scopes or the expiry of an access token have changed. */
        AccessTokenUpdatedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "access_token.updated";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the access token. */
                access_token_id: string;
                /** @description The fields that have changed, by name. */
                changes: {
                    [key: string]: components["schemas"]["Change"];
                };
            };
        };
        /** @description The number of tokens. */
        AccessTokensRevoked: {
            /** @description How many tokens were revoked, those that had expired included. */
            revoked: number;
        };
        /** @description Who caused the event. */
        Actor: {
            /**
             * @description An integrator.
             * @constant
             */
            type: "access_token";
            /** @description The id of the token. */
            id: string;
            /** @description What the token is for. */
            name: string;
        } | {
            /**
             * @description An operator.
             * @constant
             */
            type: "operator";
            /** @description The id of the operator. Null for the root. */
            id: string | null;
            /** @description Who the operator is: `root` for the root. Others have a name only in responses under `/admin`. */
            name?: string;
        } | {
            /**
             * @description The service itself.
             * @constant
             */
            type: "system";
        };
        /** @description Why the item has failed. */
        BatchError: {
            /**
             * @description The kind of error.
             * @enum {string}
             */
            type: "invalid_request" | "authentication_error" | "permission_error" | "not_found" | "gone" | "precondition_failed" | "validation_error" | "rate_limited" | "internal_error" | "service_unavailable";
            /** @description What happened. Branch on this. Codes may be added: treat one that you do not know by its `type`. */
            code: components["schemas"]["ErrorCode"] | string;
            /** @description What happened, in words for people. */
            message: string;
            /** @description For 400 the first invalid field, for 422 every one. */
            details?: {
                /** @description A dotted path into the body, or the name of a parameter or a header. */
                field: string;
                /** @description What is wrong with it, in words for people. */
                explanation: string;
            } | {
                /** @description A dotted path into the body, or the name of a parameter or a header. */
                field: string;
                /** @description What was sent: a string as sent, anything else as JSON, truncated to 256 characters. A password is `[redacted]`. */
                value: string;
                /** @description What is wrong with it, in words for people. */
                explanation: string;
            }[];
        };
        /** @description The result of one item. */
        BatchResult: {
            /** @description The position of the item in the list, from 0. */
            index: number;
            /** @description The status that the single create would have returned: 201 if the record was created, 200 if it was skipped or updated, otherwise the status of the error. */
            status: number;
            /** @description The id of the new or the existing record. A dry run has only that of a record that exists. */
            id?: string;
            error?: components["schemas"]["BatchError"];
        };
        /** @description The results of a batch. */
        BatchResults: {
            /** @description True if nothing was written. */
            dry_run: boolean;
            /** @description One for each item, in the order of the items. */
            results: components["schemas"]["BatchResult"][];
        };
        BatchUser: {
            /** @description The first name. It must not be blank. */
            name: string;
            /** @description The last name. It must not be blank. */
            last_name: string;
            /**
             * Format: email
             * @description Unique within the store, whatever the letter case. If it is taken, the response is 422 `email_taken`.
             */
            email: string;
            /** @description Any text. */
            phone?: string | null;
            /** @description A real ISO 3166-1 alpha-2 code, in upper or lower case. */
            country?: string | null;
            /** @description If it is omitted, the store's language. */
            language?: ("ES" | "PT" | "EN") | null;
            /** @description The user's id in your own system. You can find users by it. It need not be unique. */
            external_id?: string | null;
            /** @description Any text, usually the URL of a picture. */
            avatar?: string | null;
            /** @description Each key is a custom field of the store. A value is a string, a number, a boolean or null. */
            custom_fields?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description Stored only as a salted Argon2id hash, and never shown. A token may send about 60 passwords in 60 seconds. It must not be blank. */
            password?: string | null;
            /** @description Accesses that are granted together with the user. A token also needs the scope `product_accesses:write` for them. With `update`, missing accesses are granted and existing ones updated. */
            product_accesses?: components["schemas"]["BatchUserProductAccess"][] | null;
        };
        BatchUserProductAccess: {
            /** @description The id of the product. Send either this or the slug. */
            product_id?: string | null;
            /** @description The slug of the product. Send either this or the id. */
            slug?: string | null;
            /** @description If it is omitted, `with_access`. */
            status?: ("with_access" | "without_access") | null;
            /**
             * Format: date-time
             * @description The last moment of the access. If it is omitted, the product's `expiration_days` apply. Null means no limit.
             */
            access_due_date?: string | null;
        };
        /** @description One decision about many accesses. */
        BulkChange: {
            /** @description The number of the bulk change in its store. */
            id: string;
            /**
             * @description A store runs one bulk change at a time: the others are `queued`. `failed` means that there was no progress for an hour.
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "canceled" | "failed";
            /** @description Which accesses it is about, as sent. Null for a revert. */
            filter: {
                /** @description The accesses to this product. */
                product_id?: string;
                /** @description The accesses of these users, 1 to 1,000. */
                user_ids?: string[];
                /** @description The accesses of users whose value of the custom field `key` is the text `value`, or a number, a boolean or null that is written like this in JSON, when the access is reached. The token then needs the scope `users:read` as well. A key that the store does not define is 422. */
                custom_field?: {
                    /** @description The key of the custom field. */
                    key: string;
                    /** @description What the users have in it; `[redacted]` for a token without the scope `users:read`, and `[erased]` once the only person who had it has been erased. */
                    value: string;
                };
                /**
                 * @description The accesses with this status.
                 * @enum {string}
                 */
                status?: "with_access" | "without_access";
                /** @description The accesses that are in force at the time of the request, or those that are not. */
                in_force?: boolean;
                /**
                 * Format: date-time
                 * @description The accesses whose due date is this or later. Accesses without a limit do not match.
                 */
                due_after?: string;
                /**
                 * Format: date-time
                 * @description The accesses whose due date is earlier than this. Accesses without a limit do not match.
                 */
                due_before?: string;
            } | null;
            /** @description What it changes, as sent. Null for a revert. */
            change: {
                /**
                 * @description Opens or closes the accesses.
                 * @enum {string}
                 */
                status?: "with_access" | "without_access";
                /**
                 * Format: date-time
                 * @description The last moment of the accesses. Null removes the limit.
                 */
                access_due_date?: string | null;
                /** @description If it is true, an access that ends later than `access_due_date`, or never, keeps its date. It needs `access_due_date`. */
                never_shorten?: boolean;
                /** @description How many days later the accesses end, counted from the due date, or from the time of the request if the date has passed, by the calendar of the time zone that the store has at the request: the time of day stays, and the end of a day becomes the end of the new day. An access without a date stays as it is, and so does a date that would move beyond the year 9999. Send at most one of `access_due_date`, `extend_days` and `extend_months`. */
                extend_days?: number;
                /** @description How many months later the accesses end, counted as `extend_days`. A month that has no such day ends with its last day. */
                extend_months?: number;
            } | null;
            /** @description True if it only counts. */
            dry_run: boolean;
            /** @description The bulk change that it takes back. Null if it takes back none. */
            reverts: string | null;
            /** @description The newest bulk change that takes this one back. Null if there is none. */
            reverted_by: string | null;
            /** @description How much is done, in percent of the ids that it walks through. */
            progress: number;
            /** @description How many accesses have matched so far. For a revert, those that the first bulk change changed. */
            matched: number;
            /** @description How many of them were changed; in a dry run, how many would be. */
            changed: number;
            /** @description How many of them had the new values already. For a revert, those that somebody has changed since. */
            unchanged: number;
            /** @description What happens to the accesses that change, each as a count so far. An access may count for its status and for its date. */
            effects: {
                /** @description Accesses whose status becomes `with_access`. */
                opened: number;
                /** @description Accesses whose status becomes `without_access`. */
                closed: number;
                /** @description Accesses that end later than before. */
                later: number;
                /** @description Accesses that end earlier than before. */
                earlier: number;
                /** @description Accesses that had no due date and get one. */
                limited: number;
                /** @description Accesses that lose their due date. */
                unlimited: number;
            };
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it began to run. Null while it is queued.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When it ended. Null until then.
             */
            finished_at: string | null;
            actor: components["schemas"]["Actor"];
        };
        /**
         * @description - `bulk_change.created`: A bulk change was created. Each access that it changes has its own event, with `bulk_change_id` in `data`.
         *     - `bulk_change.canceled`: A bulk change was canceled. What it has changed stays.
         *     - `bulk_change.finished`: A bulk change has ended: it is `done`, or it has `failed` after an hour without progress.
         */
        BulkChangeEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "bulk_change.created" | "bulk_change.canceled" | "bulk_change.finished";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the bulk change. */
                bulk_change_id: string;
            };
        };
        /** @description A page of bulk changes. */
        BulkChangePage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["BulkChange"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description The operator whose token the request has. */
        CallingOperator: {
            /** @description The number of the operator. Null for the root. */
            id: string | null;
            /** @description Who the operator is. `root` for the root. */
            name: string;
            /**
             * @description What the caller may do. `root`: everything.
             * @enum {string}
             */
            role: "viewer" | "office" | "admin" | "root";
            /** @description With which the operator signs on through Cloudflare Access. Null if the operator only uses the token. */
            email: string | null;
            /** @description The ids of the stores to which the operator is limited: every other store is 404. Null for all stores. */
            stores: string[] | null;
        };
        /** @description The values before and after. */
        Change: {
            from: components["schemas"]["ChangedValue"];
            to: components["schemas"]["ChangedValue"];
        };
        /** @description A value of a field, as the resource shows it. Null if it has none. */
        ChangedValue: string | number | boolean | string[] | null;
        CreateAccessToken: {
            /** @description What the token is for. Events that the token causes show it. It must not be blank. */
            name: string;
            /** @description What the token may do, each scope once. If omitted: `users:write` and `product_accesses:write`. */
            scopes?: ("users:read" | "users:write" | "users:erase" | "passwords:verify" | "product_accesses:read" | "product_accesses:write" | "products:read" | "events:read" | "webhooks:read" | "webhooks:write")[] | null;
            /**
             * Format: date-time
             * @description When the token expires. It must be in the future. If it is omitted, the token never expires.
             */
            expires_at?: string | null;
        };
        CreateBulkChange: {
            /** @description Which accesses are changed: those that match every filter. `{}` matches all accesses of the store. */
            filter: {
                /** @description The accesses to this product. */
                product_id?: string;
                /** @description The accesses of these users, 1 to 1,000. */
                user_ids?: string[];
                /** @description The accesses of users whose value of the custom field `key` is the text `value`, or a number, a boolean or null that is written like this in JSON, when the access is reached. The token then needs the scope `users:read` as well. A key that the store does not define is 422. */
                custom_field?: {
                    /** @description The key of the custom field. */
                    key: string;
                    /** @description What the users have in it. */
                    value: string;
                };
                /**
                 * @description The accesses with this status.
                 * @enum {string}
                 */
                status?: "with_access" | "without_access";
                /** @description The accesses that are in force at the time of the request, or those that are not. */
                in_force?: boolean;
                /**
                 * Format: date-time
                 * @description The accesses whose due date is this or later. Accesses without a limit do not match.
                 */
                due_after?: string;
                /**
                 * Format: date-time
                 * @description The accesses whose due date is earlier than this. Accesses without a limit do not match.
                 */
                due_before?: string;
            };
            /** @description What is changed. At least one field is required. */
            change: {
                /**
                 * @description Opens or closes the accesses.
                 * @enum {string}
                 */
                status?: "with_access" | "without_access";
                /**
                 * Format: date-time
                 * @description The last moment of the accesses. Null removes the limit.
                 */
                access_due_date?: string | null;
                /** @description If it is true, an access that ends later than `access_due_date`, or never, keeps its date. It needs `access_due_date`. */
                never_shorten?: boolean;
                /** @description How many days later the accesses end, counted from the due date, or from the time of the request if the date has passed, by the calendar of the time zone that the store has at the request: the time of day stays, and the end of a day becomes the end of the new day. An access without a date stays as it is, and so does a date that would move beyond the year 9999. Send at most one of `access_due_date`, `extend_days` and `extend_months`. */
                extend_days?: number;
                /** @description How many months later the accesses end, counted as `extend_days`. A month that has no such day ends with its last day. */
                extend_months?: number;
            };
            /** @description If it is true, the bulk change only counts, and does not wait for others. If it is omitted, false. */
            dry_run?: boolean | null;
        };
        CreateOperator: {
            /** @description Who the operator is. Events that the operator causes show it. It must not be blank. */
            name: string;
            /**
             * @description `viewer`: may only GET. `office`: may also create and change users and accesses, one by one, in batches and by bulk changes. `admin`: may do everything but create, change and revoke operators.
             * @enum {string}
             */
            role: "viewer" | "office" | "admin";
            /**
             * Format: email
             * @description With which the operator signs on through Cloudflare Access. No other operator may have it, unless that one is revoked. Letter case does not matter.
             */
            email?: string | null;
            /** @description The ids of the stores to which the operator is limited: every other store is 404. If omitted, all stores. */
            stores?: string[] | null;
        };
        CreateProduct: {
            /** @description The name of the product, for people. Accesses show it. It must not be blank. */
            name: string;
            /** @description The short name. If another product of the store has it, the response is 422 `already_exists`. */
            slug: string;
            /** @description The store's own word for the kind of product, such as `course`. It must not be blank. */
            type: string;
            /** @description How many days an access lasts if it is granted without a due date. If it is omitted, there is no limit. */
            expiration_days?: number | null;
        };
        CreatePublicUser: {
            /** @description The first name. It must not be blank. */
            name: string;
            /** @description The last name. It must not be blank. */
            last_name: string;
            /**
             * Format: email
             * @description Unique within the store, whatever the letter case. If it is taken, the response is 422 `email_taken`.
             */
            email: string;
            /** @description Any text. It must not be blank. */
            phone: string;
            /** @description It may be empty. Usually the URL of a picture. */
            avatar: string;
            /** @description Two letters, in upper or lower case. */
            country: string;
            /** @description Two upper-case letters. */
            language: string;
            /** @description Stored only as a salted Argon2id hash, and never shown. A token may send about 60 passwords in 60 seconds. It must not be blank. */
            password: string;
            /** @description The user's id in your own system. It need not be unique. It must not be blank. */
            external_id: string;
            /** @description `field1`, which every store accepts, and values of the store's own custom fields. */
            custom_fields: {
                /** @description Any text; not blank. */
                field1: string;
            } & {
                [key: string]: string | number | boolean | null;
            };
        };
        CreateStore: {
            /** @description 1 to 64 characters from a-z, 0-9, `-` and `_`, starting with a letter or a digit. If it is omitted, the service chooses one. */
            id?: string | null;
            /** @description The name of the store, for people. It must not be blank. */
            name: string;
            /**
             * @description The language of a user who is created on v1 without one.
             * @enum {string}
             */
            language: "ES" | "PT" | "EN";
            /** @description `UTC` (if omitted), or an IANA name of an area and a place, such as `Europe/Lisbon`: where the store has its days. */
            time_zone?: string;
            /** @description Where the rows of the store are, for good: `shared` (the default, unless the service is configured otherwise) or `own`, a database of its own. */
            place?: ("shared" | "own") | null;
            /** @description `eu` keeps the database of the store in the European Union. Only with the place `own`. */
            jurisdiction?: "eu" | null;
            /** @description Near which region the database is created; near the caller if omitted. Only with the place `own`; in the jurisdiction `eu` only `weur` and `eeur`. */
            location?: ("wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me") | null;
        };
        CreateUser: {
            /** @description The first name. It must not be blank. */
            name: string;
            /** @description The last name. It must not be blank. */
            last_name: string;
            /**
             * Format: email
             * @description Unique within the store, whatever the letter case. If it is taken, the response is 422 `email_taken`.
             */
            email: string;
            /** @description Any text. */
            phone?: string | null;
            /** @description A real ISO 3166-1 alpha-2 code, in upper or lower case. */
            country?: string | null;
            /** @description If it is omitted, the store's language. */
            language?: ("ES" | "PT" | "EN") | null;
            /** @description The user's id in your own system. You can find users by it. It need not be unique. */
            external_id?: string | null;
            /** @description Any text, usually the URL of a picture. */
            avatar?: string | null;
            /** @description Each key is a custom field of the store. A value is a string, a number, a boolean or null. */
            custom_fields?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description Stored only as a salted Argon2id hash, and never shown. A token may send about 60 passwords in 60 seconds. It must not be blank. */
            password?: string | null;
        };
        CreateUsers: {
            /** @description 1 to 100 items. Each is validated and reported on its own. */
            items: components["schemas"]["BatchUser"][];
            /** @description If it is true, the response says what would happen, and nothing is written. If it is omitted, false. */
            dry_run?: boolean | null;
            /** @description What happens to an item whose record exists: `fail` (if omitted) reports what the single create would, `skip` leaves the record unchanged, `update` changes the fields that the item has. */
            on_existing?: ("fail" | "skip" | "update") | null;
            /** @description If it is true, an update keeps the date of an access that ends later than the item says, or never; a status is set all the same. If it is omitted, false. */
            never_shorten?: boolean | null;
        };
        CreateWebhookEndpoint: {
            /**
             * Format: uri
             * @description An https URL of a public host. Redirects are not followed.
             */
            url: string;
            /** @description The types of events to send. If omitted or null: all types, including types that are added later. */
            types?: ("user.created" | "user.updated" | "user.erased" | "product_access.granted" | "product_access.updated" | "product_access.progressed" | "product_access.expiring" | "product_access.expired" | "access_token.created" | "access_token.updated" | "access_token.rotated" | "access_token.revoked" | "store.created" | "store.updated" | "store.restored" | "product.created" | "product.updated" | "product.deleted" | "custom_field.created" | "custom_field.updated" | "custom_field.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled" | "bulk_change.created" | "bulk_change.canceled" | "bulk_change.finished" | "operator.created" | "operator.updated" | "operator.revoked")[] | null;
        };
        /** @description A key for which the users of the store may have a value. */
        CustomField: {
            /** @description The key in `custom_fields` of a user. */
            key: string;
            /** @description The name of the field, for people. Null if it has none. */
            label: string | null;
            /**
             * Format: date-time
             * @description When the field was defined.
             */
            created_at: string;
        };
        /**
         * @description - `custom_field.created`: A custom field was defined.
         *     - `custom_field.deleted`: A custom field was removed. Users keep the values that they have.
         */
        CustomFieldEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom_field.created" | "custom_field.deleted";
            /** @description The record that the event is about. */
            data: {
                /** @description The key of the custom field. */
                custom_field_key: string;
            };
        };
        /** @description A page of custom fields. */
        CustomFieldPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["CustomField"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description - `custom_field.updated`: The label of a custom field has changed. */
        CustomFieldUpdatedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom_field.updated";
            /** @description The record that the event is about. */
            data: {
                /** @description The key of the custom field. */
                custom_field_key: string;
                /** @description The fields that have changed, by name. */
                changes: {
                    [key: string]: components["schemas"]["Change"];
                };
            };
        };
        /**
         * @description The codes of errors that this version returns.
         * @enum {string}
         */
        ErrorCode: "missing_parameter" | "malformed_body" | "invalid_header" | "missing_token" | "invalid_token" | "https_required" | "store_suspended" | "insufficient_scope" | "cross_site" | "not_found" | "route_not_found" | "method_not_allowed" | "cursor_expired" | "etag_mismatch" | "payload_too_large" | "unsupported_media_type" | "invalid_parameter" | "email_taken" | "idempotency_key_reused" | "access_exists" | "already_exists" | "in_use" | "limit_reached" | "not_running" | "not_done" | "rate_limited" | "internal_error" | "service_unavailable";
        ErrorEnvelope: {
            /**
             * @description The kind of error. Handle codes of one kind alike.
             * @enum {string}
             */
            type: "authentication_error" | "permission_error" | "not_found" | "invalid_request" | "precondition_failed" | "rate_limited" | "internal_error" | "service_unavailable";
            /** @description What happened. Branch on this. Codes may be added: treat one that you do not know by its `type`. */
            code: components["schemas"]["ErrorCode"] | string;
            /** @description What happened, in words for people. The words may change. */
            message: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description As in `X-Request-Id`. Quote it when you ask for help.
             */
            request_id: string;
            /** @description The `CF-Ray` of the request if Cloudflare has set it, otherwise the request id. */
            log_id: string;
        };
        ErrorEnvelopeOfField: {
            /**
             * @description The kind of error. Handle codes of one kind alike.
             * @enum {string}
             */
            type: "invalid_request" | "gone";
            /** @description What happened. Branch on this. Codes may be added: treat one that you do not know by its `type`. */
            code: components["schemas"]["ErrorCode"] | string;
            /** @description What happened, in words for people. The words may change. */
            message: string;
            /** @description The invalid field. If several are missing, the first one. */
            details: {
                /** @description A dotted path into the body, or the name of a parameter or a header. */
                field: string;
                /** @description What is wrong with it, in words for people. */
                explanation: string;
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description As in `X-Request-Id`. Quote it when you ask for help.
             */
            request_id: string;
            /** @description The `CF-Ray` of the request if Cloudflare has set it, otherwise the request id. */
            log_id: string;
        };
        ErrorEnvelopeOfFields: {
            /**
             * @description The kind of error. Handle codes of one kind alike.
             * @enum {string}
             */
            type: "validation_error";
            /** @description What happened. Branch on this. Codes may be added: treat one that you do not know by its `type`. */
            code: components["schemas"]["ErrorCode"] | string;
            /** @description What happened, in words for people. The words may change. */
            message: string;
            /** @description Every invalid field, in the order in which the fields are described. */
            details: {
                /** @description A dotted path into the body, or the name of a parameter or a header. */
                field: string;
                /** @description What was sent: a string as sent, anything else as JSON, truncated to 256 characters. A password is `[redacted]`. */
                value: string;
                /** @description What is wrong with it, in words for people. */
                explanation: string;
            }[];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description As in `X-Request-Id`. Quote it when you ask for help.
             */
            request_id: string;
            /** @description The `CF-Ray` of the request if Cloudflare has set it, otherwise the request id. */
            log_id: string;
        };
        ErrorEnvelopeWithoutCode: {
            /**
             * @description The kind of error. Handle codes of one kind alike.
             * @enum {string}
             */
            type: "not_found";
            /** @description This 404 has no code. The property is here so that programs can read it of any error. */
            code?: components["schemas"]["ErrorCode"] | string;
            /** @description What happened, in words for people. The words may change. */
            message: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description As in `X-Request-Id`. Quote it when you ask for help.
             */
            request_id: string;
            /** @description The `CF-Ray` of the request if Cloudflare has set it, otherwise the request id. */
            log_id: string;
        };
        /** @description A page of events, the newest first. */
        EventHistoryPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["StoreEvent"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description A page of events. */
        EventPage: {
            /** @description The events of the page, in the order in which they were committed. */
            data: components["schemas"]["StoreEvent"][];
            /** @description The `after` of the next page. Null if the last event in this order has been read. */
            next: string | null;
            /** @description The id up to which events have been read, on the last page too: send it as `after` to continue. Null if none has been. Omitted with `order=desc`. */
            cursor?: string | null;
        };
        /**
         * @description The types of events that this version writes.
         * @enum {string}
         */
        EventType: "user.created" | "user.updated" | "user.erased" | "product_access.granted" | "product_access.updated" | "product_access.progressed" | "product_access.expiring" | "product_access.expired" | "access_token.created" | "access_token.updated" | "access_token.rotated" | "access_token.revoked" | "store.created" | "store.updated" | "store.restored" | "product.created" | "product.updated" | "product.deleted" | "custom_field.created" | "custom_field.updated" | "custom_field.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled" | "bulk_change.created" | "bulk_change.canceled" | "bulk_change.finished" | "operator.created" | "operator.updated" | "operator.revoked";
        ExtendProductAccess: {
            /** @description How many days later the access ends, 1 to 3650. Send either this or `months`. */
            days?: number | null;
            /** @description How many months later the access ends, 1 to 120. Send either this or `days`. */
            months?: number | null;
        };
        GrantProductAccess: {
            /** @description The user who gets the access. It must be a user of the store. */
            user_id: string;
            /** @description The id of the product, which must be a product of the store. Send either this or `slug`. */
            product_id?: string | null;
            /** @description The slug of the product, instead of its id. */
            slug?: string | null;
            /** @description If it is omitted, `with_access`. */
            status?: ("with_access" | "without_access") | null;
            /**
             * Format: date-time
             * @description The last moment of the access. If it is omitted, the access lasts for the product's `expiration_days` from now, or without a limit if the product has none. Null means no limit.
             */
            access_due_date?: string | null;
        };
        GrantProductAccesses: {
            /** @description 1 to 100 items. Each is validated and reported on its own. */
            items: components["schemas"]["GrantProductAccess"][];
            /** @description If it is true, the response says what would happen, and nothing is written. If it is omitted, false. */
            dry_run?: boolean | null;
            /** @description What happens to an item whose record exists: `fail` (if omitted) reports what the single create would, `skip` leaves the record unchanged, `update` changes the fields that the item has. */
            on_existing?: ("fail" | "skip" | "update") | null;
            /** @description If it is true, an update keeps the date of an access that ends later than the item says, or never; a status is set all the same. If it is omitted, false. */
            never_shorten?: boolean | null;
        };
        /** @description The service and its database respond. */
        Health: {
            /** @description `ok`. */
            status: string;
        };
        /** @description An access token with its secret. */
        IssuedAccessToken: {
            /** @description The number of the token in its store. It stays the same when the token is rotated. It is not a secret. */
            id: string;
            /** @description What the token is for, as its operator named it. */
            name: string;
            /** @description What the token may do. */
            scopes: ("users:read" | "users:write" | "users:erase" | "passwords:verify" | "product_accesses:read" | "product_accesses:write" | "products:read" | "events:read" | "webhooks:read" | "webhooks:write")[];
            /**
             * Format: date-time
             * @description When the token was issued.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the token expires. Null if it never expires.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the token was revoked. Null if it was not.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description The day on which the token was last used for a change or a read, at 00:00 UTC. Recorded right after the response.
             */
            last_used_at: string | null;
            /** @description The token itself. It is only in this response, because only its hash is stored. */
            token: string;
        };
        /** @description The token of the request with its new secret. */
        IssuedOwnAccessToken: {
            /** @description The number of the token in its store. It stays the same when the token is rotated. It is not a secret. */
            id: string;
            /** @description The id of the store that the token belongs to. */
            store_id: string;
            /** @description The store that the token belongs to. */
            store: {
                /** @description The id of the store. */
                id: string;
                /** @description The name of the store, for people. */
                name: string;
                /** @description The language of a user who is created on v1 without one. */
                language: string;
                /** @description The time zone in which the store has its days. */
                time_zone: string;
            };
            /** @description What the token is for, as its operator named it. */
            name: string;
            /** @description What the token may do. */
            scopes: ("users:read" | "users:write" | "users:erase" | "passwords:verify" | "product_accesses:read" | "product_accesses:write" | "products:read" | "events:read" | "webhooks:read" | "webhooks:write")[];
            /**
             * Format: date-time
             * @description When the token was issued.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the token expires. Null if it never expires.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description The day on which the token was last used for a change or a read, at 00:00 UTC. Recorded right after the response.
             */
            last_used_at: string | null;
            /** @description The token itself. It is only in this response, because only its hash is stored. */
            token: string;
        };
        NoFields: Record<string, never>;
        /** @description An operator, without the token. */
        Operator: {
            /** @description The number of the operator. */
            id: string;
            /** @description Who the operator is. Events that the operator causes show it. */
            name: string;
            /**
             * @description `viewer`: may only GET. `office`: may also create and change users and accesses, one by one, in batches and by bulk changes. `admin`: may do everything but create, change and revoke operators.
             * @enum {string}
             */
            role: "viewer" | "office" | "admin";
            /** @description With which the operator signs on through Cloudflare Access. Null if the operator only uses the token. */
            email: string | null;
            /** @description The ids of the stores to which the operator is limited: every other store is 404. Null for all stores. */
            stores: string[] | null;
            /**
             * Format: date-time
             * @description When the operator was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the operator was revoked. Null if they were not.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description The day (in UTC) on which the operator last sent a request. Null if they never did.
             */
            last_used_at: string | null;
        };
        /**
         * @description - `operator.created`: The root has created an operator.
         *     - `operator.revoked`: The root has revoked an operator.
         */
        OperatorEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "operator.created" | "operator.revoked";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the operator. */
                operator_id: string;
            };
        };
        /** @description A page of operators. */
        OperatorPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["Operator"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description - `operator.updated`: The root has changed an operator. The event names the fields, without their values. */
        OperatorUpdatedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "operator.updated";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the operator. */
                operator_id: string;
                /** @description The names of the fields that have changed, without values. */
                fields: string[];
            };
        };
        /** @description An operator with the token. */
        OperatorWithToken: {
            /** @description The number of the operator. */
            id: string;
            /** @description Who the operator is. Events that the operator causes show it. */
            name: string;
            /**
             * @description `viewer`: may only GET. `office`: may also create and change users and accesses, one by one, in batches and by bulk changes. `admin`: may do everything but create, change and revoke operators.
             * @enum {string}
             */
            role: "viewer" | "office" | "admin";
            /** @description With which the operator signs on through Cloudflare Access. Null if the operator only uses the token. */
            email: string | null;
            /** @description The ids of the stores to which the operator is limited: every other store is 404. Null for all stores. */
            stores: string[] | null;
            /**
             * Format: date-time
             * @description When the operator was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the operator was revoked. Null if they were not.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description The day (in UTC) on which the operator last sent a request. Null if they never did.
             */
            last_used_at: string | null;
            /** @description The token of the operator. It is only in this response, because only its hash is stored. */
            token: string;
        };
        /** @description The token of the request. */
        OwnAccessToken: {
            /** @description The number of the token in its store. It stays the same when the token is rotated. It is not a secret. */
            id: string;
            /** @description The id of the store that the token belongs to. */
            store_id: string;
            /** @description The store that the token belongs to. */
            store: {
                /** @description The id of the store. */
                id: string;
                /** @description The name of the store, for people. */
                name: string;
                /** @description The language of a user who is created on v1 without one. */
                language: string;
                /** @description The time zone in which the store has its days. */
                time_zone: string;
            };
            /** @description What the token is for, as its operator named it. */
            name: string;
            /** @description What the token may do. */
            scopes: ("users:read" | "users:write" | "users:erase" | "passwords:verify" | "product_accesses:read" | "product_accesses:write" | "products:read" | "events:read" | "webhooks:read" | "webhooks:write")[];
            /**
             * Format: date-time
             * @description When the token was issued.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the token expires. Null if it never expires.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description The day on which the token was last used for a change or a read, at 00:00 UTC. Recorded right after the response.
             */
            last_used_at: string | null;
        };
        PasswordNotVerified: {
            /**
             * @description The email, the password or both are wrong.
             * @constant
             */
            verified: false;
        };
        /** @description Whether the email and the password are right, and if so, the user. */
        PasswordVerification: components["schemas"]["PasswordVerified"] | components["schemas"]["PasswordNotVerified"];
        PasswordVerified: {
            /**
             * @description This is the password of the user.
             * @constant
             */
            verified: true;
            user: components["schemas"]["User"];
        };
        /** @description Something that users get access to. */
        Product: {
            /** @description The number of the product in its store. */
            id: string;
            /** @description The name of the product, for people. */
            name: string;
            /** @description The short name, unique in its store. */
            slug: string;
            /** @description The store's own word for the kind of product. */
            type: string;
            /** @description How many days an access lasts if it is granted without a due date. Null if there is no limit. */
            expiration_days: number | null;
            /**
             * Format: date-time
             * @description When the product was created.
             */
            created_at: string;
        };
        /** @description The access of a user to a product. */
        ProductAccess: {
            /** @description The number of the access in its store. No id is ever used twice. */
            id: string;
            /**
             * Format: date-time
             * @description When the access was granted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the user started the product. Null if this is not recorded.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the user completed the product. Null if this is not recorded.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description The last moment at which the access is in force. Null if there is no limit.
             */
            access_due_date: string | null;
            /** @description How many days an access to the product lasts if it is granted without a due date. */
            expiration_days?: number;
            /**
             * @description As set. It does not change when the due date passes.
             * @enum {string}
             */
            status: "with_access" | "without_access";
            /** @description The grade, in any scale that you use. Null if there is none. */
            grade: string | number | boolean | null;
            /** @description The grade in words. Null if there is none. */
            concept_grade: string | null;
            /** @description Whether the user has passed. */
            passed: boolean;
            /** @description How much is done, in percent: 0 to 100. */
            progress: number;
            /** @description The URL of the certificate. Null if there is none. */
            certificate_url: string | null;
            /** @description The product. */
            product: {
                /** @description The id of the product. */
                id: string;
                /** @description The short name of the product, unique in its store. */
                slug: string;
                /** @description The store's own word for the kind of product. */
                type: string;
                /** @description The name of the product as it is now. */
                name: string;
            };
            /** @description The user who has the access. */
            user: {
                /** @description The id of the user. */
                id: string;
                /** @description The first name as it is now. */
                name: string;
                /** @description The last name as it is now. */
                last_name: string;
                /** @description The user's id in your own system. Null if there is none. */
                external_id: string | null;
                /** @description The email as it is now. */
                email: string;
            };
        };
        /**
         * @description - `product_access.granted`: A user was given access to a product.
         *     - `product_access.expiring`: An access ends soon: its due date is at most `expiry_notice_days` away, a setting of the store. The service writes this event by itself, once for each due date.
         *     - `product_access.expired`: The due date of an open access has passed. The service writes this event by itself, once for each due date and usually within two minutes.
         */
        ProductAccessEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "product_access.granted" | "product_access.expiring" | "product_access.expired";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the user. */
                user_id: string;
                /** @description The id of the product. */
                product_id: string;
                /** @description The id of the access. */
                product_access_id: string;
            };
        };
        /** @description A page of accesses. */
        ProductAccessPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["ProductAccess"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description - `product_access.progressed`: Progress, a grade or a certificate was recorded. The event names the fields, without their values. */
        ProductAccessProgressedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "product_access.progressed";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the user. */
                user_id: string;
                /** @description The id of the product. */
                product_id: string;
                /** @description The id of the access. */
                product_access_id: string;
                /** @description The names of the fields that have changed, without values. */
                fields: string[];
            };
        };
        /** @description - `product_access.updated`: The status or the due date of an access has changed. If a bulk change has changed it, `data` has `bulk_change_id`. */
        ProductAccessUpdatedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "product_access.updated";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the user. */
                user_id: string;
                /** @description The id of the product. */
                product_id: string;
                /** @description The id of the access. */
                product_access_id: string;
                /** @description The fields that have changed, by name. */
                changes: {
                    [key: string]: components["schemas"]["Change"];
                };
                /** @description The bulk change that has changed the access, if one has. */
                bulk_change_id?: string;
            };
        };
        /**
         * @description - `product.created`: A product was created.
         *     - `product.deleted`: A product was deleted.
         */
        ProductEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "product.created" | "product.deleted";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the product. */
                product_id: string;
            };
        };
        /** @description A page of products. */
        ProductPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["Product"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description - `product.updated`: Fields of a product have changed. */
        ProductUpdatedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "product.updated";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the product. */
                product_id: string;
                /** @description The fields that have changed, by name. */
                changes: {
                    [key: string]: components["schemas"]["Change"];
                };
            };
        };
        PublicErrorEnvelope: {
            /**
             * @description The kind of error. Handle codes of one kind alike.
             * @enum {string}
             */
            type: "authentication_error" | "permission_error" | "not_found" | "invalid_request" | "precondition_failed" | "rate_limited" | "internal_error" | "service_unavailable";
            /** @description What happened. Branch on this. Codes may be added: treat one that you do not know by its `type`. */
            code: components["schemas"]["ErrorCode"] | string;
            /** @description What happened, in words for people. The words may change. */
            message: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description As in `X-Request-Id`. Quote it when you ask for help.
             */
            request_id: string;
        };
        PublicErrorEnvelopeOfField: {
            /**
             * @description The kind of error. Handle codes of one kind alike.
             * @enum {string}
             */
            type: "invalid_request" | "gone";
            /** @description What happened. Branch on this. Codes may be added: treat one that you do not know by its `type`. */
            code: components["schemas"]["ErrorCode"] | string;
            /** @description What happened, in words for people. The words may change. */
            message: string;
            /** @description The invalid field. If several are missing, the first one. */
            details: {
                /** @description A dotted path into the body, or the name of a parameter or a header. */
                field: string;
                /** @description What is wrong with it, in words for people. */
                explanation: string;
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description As in `X-Request-Id`. Quote it when you ask for help.
             */
            request_id: string;
        };
        PublicErrorEnvelopeOfFields: {
            /**
             * @description The kind of error. Handle codes of one kind alike.
             * @enum {string}
             */
            type: "validation_error";
            /** @description What happened. Branch on this. Codes may be added: treat one that you do not know by its `type`. */
            code: components["schemas"]["ErrorCode"] | string;
            /** @description What happened, in words for people. The words may change. */
            message: string;
            /** @description Every invalid field, in the order in which the fields are described. */
            details: {
                /** @description A dotted path into the body, or the name of a parameter or a header. */
                field: string;
                /** @description What was sent: a string as sent, anything else as JSON, truncated to 256 characters. A password is `[redacted]`. */
                value: string;
                /** @description What is wrong with it, in words for people. */
                explanation: string;
            }[];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description As in `X-Request-Id`. Quote it when you ask for help.
             */
            request_id: string;
        };
        /** @description A user as v3 shows it: with every field, even if it has no value. */
        PublicUser: {
            /** @description The number of the user in its store. v1 shows it as a string. */
            id: number;
            /** @description The first name. */
            name: string;
            /** @description The last name. */
            last_name: string;
            /** @description The role of the user in the store: `student`. */
            role: string;
            /** @description The email as sent. */
            email: string;
            /** @description As sent. */
            phone: string;
            /** @description As sent. It may be empty. */
            avatar: string;
            /** @description Two letters, in upper case. */
            country: string;
            /** @description Two letters, in upper case. */
            language: string;
            /**
             * Format: date-time
             * @description When the user was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a field of the user last changed.
             */
            updated_at: string;
            /** @description The user's id in your own system. It need not be unique. */
            external_id: string;
            /** @description `field1`, and the values of the store's own custom fields. */
            custom_fields: {
                /** @description As sent. */
                field1: string;
            } & {
                [key: string]: unknown;
            };
        };
        PutCustomField: {
            /** @description The name of the field, for people. If it is omitted or null, a new field has no label, and an existing one keeps its label. It must not be blank. */
            label?: string | null;
        };
        RecordProgress: {
            /**
             * Format: date-time
             * @description When the user started the product. Null removes it.
             */
            started_at?: string | null;
            /**
             * Format: date-time
             * @description When the user completed the product. Null removes it.
             */
            completed_at?: string | null;
            /** @description How much is done, in percent. */
            progress?: number;
            /** @description A string, number or boolean, in any scale that you use. It is stored as sent. Null removes it. */
            grade?: string | number | boolean | null;
            /** @description The grade in words. Null removes it. */
            concept_grade?: string | null;
            /** @description Whether the user has passed. */
            passed?: boolean;
            /**
             * Format: uri
             * @description An http or https URL. Null removes it.
             */
            certificate_url?: string | null;
        };
        RotateAccessToken: {
            /** @description How many hours the previous secret stays valid. If it is omitted, 24. 0 ends every older secret at once: use it after a leak. */
            overlap_hours?: number | null;
        };
        RotateToken: {
            /** @description How many hours the previous secret stays valid, at least 1. If it is omitted, 24. */
            overlap_hours?: number | null;
        };
        RotateWebhookSecret: {
            /** @description How many hours the previous secret also signs. If it is omitted, 24. 0 ends every older secret at once: use it after a leak. */
            overlap_hours?: number | null;
        };
        /** @description The numbers of a store. */
        Stats: {
            /** @description The store as it is. */
            totals: {
                /** @description How many users there are. */
                users: number;
                /** @description How many accesses there are. */
                accesses: number;
                /** @description How many of them are in force. */
                in_force: number;
                /** @description How many of those end within seven days. */
                ending_in_7_days: number;
            };
            /** @description The 20 products with the most accesses. */
            products: components["schemas"]["StatsOfProduct"][];
            /** @description What happened day by day, oldest first. The last one is today. */
            days: components["schemas"]["StatsOfDay"][];
            /**
             * Format: date-time
             * @description When the service last found the numbers true: normally at most five minutes ago.
             */
            as_of: string;
        };
        /** @description The counts of one day. */
        StatsOfDay: {
            /**
             * Format: date
             * @description The day, in UTC.
             */
            day: string;
            /** @description How many users were created. */
            users_created: number;
            /** @description How many users were erased. */
            users_erased: number;
            /** @description How many accesses were granted. */
            accesses_granted: number;
            /** @description How often the status or the due date of an access was changed. */
            accesses_updated: number;
            /** @description How many accesses have reached their due date. */
            accesses_expired: number;
        };
        /** @description The accesses to one product. */
        StatsOfProduct: {
            /** @description The product. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description How many accesses to it there are. */
            accesses: number;
            /** @description How many of them are in force. */
            in_force: number;
        };
        /** @description The state of the service. */
        Status: {
            /** @description The version of the service. */
            version: string;
            /** @description The database. Once it is full, nothing can be stored. */
            database: {
                /**
                 * Format: int64
                 * @description The size of the database, in bytes.
                 */
                bytes: number;
                /**
                 * Format: int64
                 * @description The maximum size of the database, in bytes.
                 */
                limit_bytes: number;
            };
            /** @description The databases of stores with the place `own`, as they have last reported them: at most an hour ago. */
            objects: {
                /** @description How many stores have a database of their own. */
                total: number;
                /**
                 * Format: int64
                 * @description The size of all these databases, in bytes.
                 */
                bytes: number;
                /** @description The five largest, the largest first. Each can have as many bytes as `database`. */
                largest: {
                    /** @description The id of the store. */
                    store_id: string;
                    /**
                     * Format: int64
                     * @description The size of its database, in bytes.
                     */
                    bytes: number;
                }[];
            };
            /** @description Deliveries to webhook endpoints, for all stores. */
            webhooks: {
                /** @description How many deliveries are pending, including those for endpoints that are down. Counting stops at a limit. */
                pending: number;
                /**
                 * Format: date-time
                 * @description When the oldest pending event was committed. Null if no delivery is pending.
                 */
                oldest_pending_at: string | null;
                /** @description For how many endpoints the last attempt failed, without those that are down. */
                failing_endpoints: number;
                /** @description How many endpoints failed 20 times in a row and are only probed. */
                down_endpoints: number;
                /** @description How many endpoints were disabled because they failed. */
                disabled_endpoints: number;
            };
            /** @description The stores. */
            stores: {
                /** @description How many stores there are. */
                total: number;
                /** @description How many stores are suspended. */
                suspended: number;
            };
            /** @description The scheduled jobs. */
            jobs: {
                /** @description How many rows wait to be deleted by the hourly job: at most 5,000 of each kind are counted. It is above 0 between two runs, and a problem only if it stays at the limit. */
                purge_backlog: number;
                /**
                 * Format: date-time
                 * @description When the hourly job ran last. Null if it never did.
                 */
                last_hourly_at: string | null;
                /**
                 * Format: date-time
                 * @description When the every-minute job ran last. Null if it never did.
                 */
                last_minutely_at: string | null;
            };
        };
        /** @description A store. */
        Store: {
            /** @description The id, which every path of the store contains. */
            id: string;
            /** @description The name of the store, for people. */
            name: string;
            /** @description `ES`, `PT` or `EN`: the language of a user who is created on v1 without one. */
            language: string;
            /** @description `UTC`, or the IANA name of the time zone in which the store has its days, as it was sent. `extend`, bulk changes, imports, the console and files for spreadsheets count in it; statistics count in UTC. */
            time_zone: string;
            /** @description True if every token of the store is rejected. */
            suspended: boolean;
            /** @description How many days before the end of an access its event `product_access.expiring` is written; 0 if it is not. */
            expiry_notice_days: number;
            /**
             * @description Where the rows of the store are: `shared` (the database of all such stores) or `own` (one of its own).
             * @enum {string}
             */
            place: "shared" | "own";
            /** @description `eu` if the database of the store stays in the European Union. */
            jurisdiction: "eu" | null;
            /** @description Near which region the database of the store was created, if it was chosen. */
            location: string | null;
            /**
             * Format: date-time
             * @description When the store was created.
             */
            created_at: string;
        };
        /** @description Something that has happened. `type` says what, and determines the fields of `data`. Types may be added, and those are not listed here: ignore an event whose type you do not know. */
        StoreEvent: components["schemas"]["UserEvent"] | components["schemas"]["UserUpdatedEvent"] | components["schemas"]["ProductAccessEvent"] | components["schemas"]["ProductAccessUpdatedEvent"] | components["schemas"]["ProductAccessProgressedEvent"] | components["schemas"]["AccessTokenEvent"] | components["schemas"]["AccessTokenUpdatedEvent"] | components["schemas"]["StoreLifecycleEvent"] | components["schemas"]["StoreUpdatedEvent"] | components["schemas"]["ProductEvent"] | components["schemas"]["ProductUpdatedEvent"] | components["schemas"]["CustomFieldEvent"] | components["schemas"]["CustomFieldUpdatedEvent"] | components["schemas"]["WebhookEndpointEvent"] | components["schemas"]["WebhookEndpointUpdatedEvent"] | components["schemas"]["BulkChangeEvent"] | components["schemas"]["OperatorEvent"] | components["schemas"]["OperatorUpdatedEvent"];
        /**
         * @description - `store.created`: The store was created. This is its first event.
         *     - `store.restored`: The database was restored to an earlier time. The ids between the previous event and this one are a gap: if you have read events from the gap, what they report may have been undone.
         */
        StoreLifecycleEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "store.created" | "store.restored";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the store. Null if the events of operators were restored. */
                store_id: string | null;
            };
        };
        /** @description A page of stores. */
        StorePage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["Store"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description - `store.updated`: The name, the language, the suspension or the expiry notice of the store has changed. */
        StoreUpdatedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "store.updated";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the store. Null if the events of operators were restored. */
                store_id: string | null;
                /** @description The fields that have changed, by name. */
                changes: {
                    [key: string]: components["schemas"]["Change"];
                };
            };
        };
        UpdateAccessToken: {
            /** @description What the token is for. It must not be blank. */
            name?: string;
            /** @description Everything that the token may do from now on, each scope once. It replaces the previous scopes. */
            scopes?: ("users:read" | "users:write" | "users:erase" | "passwords:verify" | "product_accesses:read" | "product_accesses:write" | "products:read" | "events:read" | "webhooks:read" | "webhooks:write")[];
            /**
             * Format: date-time
             * @description When the token expires. It must be in the future. Null: it never expires.
             */
            expires_at?: string | null;
        };
        UpdateOperator: {
            /** @description Who the operator is. Events that the operator causes show it. It must not be blank. */
            name?: string;
            /**
             * @description `viewer`: may only GET. `office`: may also create and change users and accesses, one by one, in batches and by bulk changes. `admin`: may do everything but create, change and revoke operators.
             * @enum {string}
             */
            role?: "viewer" | "office" | "admin";
            /**
             * Format: email
             * @description With which the operator signs on through Cloudflare Access. Null removes it.
             */
            email?: string | null;
            /** @description The ids of the stores to which the operator is limited: every other store is 404. Null for all stores. */
            stores?: string[] | null;
        };
        UpdateProduct: {
            /** @description The name of the product, for people. Accesses show it. It must not be blank. */
            name?: string;
            /** @description The short name. If another product of the store has it, the response is 422 `already_exists`. */
            slug?: string;
            /** @description The store's own word for the kind of product, such as `course`. It must not be blank. */
            type?: string;
            /** @description How many days an access lasts that is granted from now on without a due date. Null means no limit. */
            expiration_days?: number | null;
        };
        UpdateProductAccess: {
            /**
             * @description Opens or closes the access. If it is omitted, the status stays as it is.
             * @enum {string}
             */
            status?: "with_access" | "without_access";
            /**
             * Format: date-time
             * @description The last moment of the access. A date in the past ends the access at once. Null removes the limit. If it is omitted, the date stays as it is.
             */
            access_due_date?: string | null;
        };
        UpdateStore: {
            /** @description The name of the store, for people. It must not be blank. */
            name?: string;
            /**
             * @description The language of a user who is created on v1 without one, from now on.
             * @enum {string}
             */
            language?: "ES" | "PT" | "EN";
            /** @description Where the store has its days, from now on. No stored date moves. */
            time_zone?: string;
            /** @description If it is true, every token of the store is rejected with 403 `store_suspended`. Operators can still work on the store. */
            suspended?: boolean;
            /** @description How many days before the end of an access its event `product_access.expiring` is written. 0: it is not written. A new store has 7. */
            expiry_notice_days?: number;
        };
        UpdateUser: {
            /** @description The first name. It must not be blank. */
            name?: string;
            /** @description The last name. It must not be blank. */
            last_name?: string;
            /**
             * Format: email
             * @description Unique within the store, whatever the letter case. If it is taken, the response is 422 `email_taken`.
             */
            email?: string;
            /** @description Any text. Null removes it. */
            phone?: string | null;
            /** @description A real ISO 3166-1 alpha-2 code, in upper or lower case. Null removes it. */
            country?: string | null;
            /**
             * @description It must not be null, because every user has a language.
             * @enum {string}
             */
            language?: "ES" | "PT" | "EN";
            /** @description The user's id in your own system. You can find users by it. It need not be unique. Null removes it. */
            external_id?: string | null;
            /** @description Any text, usually the URL of a picture. Null removes it. */
            avatar?: string | null;
            /** @description Each key is set on its own. Null removes a value, including one of a field that no longer exists. */
            custom_fields?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description The new password. It always counts as a change, even if it is the same as before. It must not be blank. */
            password?: string;
        };
        UpdateWebhookEndpoint: {
            /**
             * Format: uri
             * @description An https URL of a public host. Redirects are not followed.
             */
            url?: string;
            /** @description The types of events to send from now on. Null: all types. */
            types?: ("user.created" | "user.updated" | "user.erased" | "product_access.granted" | "product_access.updated" | "product_access.progressed" | "product_access.expiring" | "product_access.expired" | "access_token.created" | "access_token.updated" | "access_token.rotated" | "access_token.revoked" | "store.created" | "store.updated" | "store.restored" | "product.created" | "product.updated" | "product.deleted" | "custom_field.created" | "custom_field.updated" | "custom_field.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled" | "bulk_change.created" | "bulk_change.canceled" | "bulk_change.finished" | "operator.created" | "operator.updated" | "operator.revoked")[] | null;
        };
        /** @description A user. A field without a value is omitted. */
        User: {
            /** @description The number of the user in its store. v3 shows it as an integer. No id is ever used twice. */
            id: string;
            /** @description The first name. */
            name: string;
            /** @description The last name. */
            last_name: string;
            /** @description The email as sent. Emails that differ only in letter case are the same. */
            email: string;
            /**
             * Format: date-time
             * @description When the user was created.
             */
            created_at: string;
            /** @description ISO 3166-1 alpha-2, in upper case. A user created on v3 may have other letters. */
            country?: string;
            /** @description As sent. */
            phone?: string;
            /** @description The user's id in your own system. It need not be unique. */
            external_id?: string;
            /** @description `ES`, `PT` or `EN`. A user created on v3 may have another language. */
            language: string;
            /** @description As sent, usually the URL of a picture. */
            avatar?: string;
            /** @description The values of the store's custom fields, including fields that have been removed since. */
            custom_fields?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description The role of the user in the store: `student`. */
            role: string;
            /**
             * Format: date-time
             * @description When a field of the user last changed.
             */
            updated_at: string;
        };
        /**
         * @description - `user.created`: A user was created on v1, on v3 or in a batch.
         *     - `user.erased`: A user was erased, together with all their accesses. The id is never used again.
         */
        UserEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "user.created" | "user.erased";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the user. */
                user_id: string;
            };
        };
        /** @description A page of users. */
        UserPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["User"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description - `user.updated`: Fields of a user have changed. The event names the fields, without their values. */
        UserUpdatedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "user.updated";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the user. */
                user_id: string;
                /** @description The names of the fields that have changed, without values. */
                fields: string[];
            };
        };
        VerifyPassword: {
            /**
             * Format: email
             * @description The email of the user, in any letter case.
             */
            email: string;
            /** @description What the person has typed. It is neither stored nor logged. It must not be blank. */
            password: string;
        };
        /** @description The delivery of an event to an endpoint. */
        WebhookDelivery: {
            /** @description The id of the event. */
            event_id: string;
            /** @description The type of the event. Types may be added. */
            type: components["schemas"]["EventType"] | string;
            /**
             * @description `pending`: it will be tried again. `delivered`: a response was 2xx. `failed`: it was given up after three days.
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed";
            /** @description How many attempts were made. */
            attempts: number;
            /** @description The status of the last response. Null if there was no attempt yet, or no response. */
            last_status: number | null;
            /**
             * Format: date-time
             * @description When the last attempt was made. Null if there was none.
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is made, within a few seconds. Null if there will be none, or the endpoint is disabled or down.
             */
            next_attempt_at: string | null;
        };
        /** @description A page of deliveries. */
        WebhookDeliveryPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["WebhookDelivery"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description A webhook endpoint, without its secret. */
        WebhookEndpoint: {
            /** @description The number of the endpoint in its store. */
            id: string;
            /** @description The URL to which events are posted. */
            url: string;
            /** @description The types of events that are sent. Null: all types, including types that are added later. */
            types: (components["schemas"]["EventType"] | string)[] | null;
            /** @description Whether events are sent. False if the endpoint responded 410 or had no success for three days. */
            enabled: boolean;
            /**
             * @description `failing`: the last attempt failed. `down`: 20 attempts in a row failed, so it is only probed until one succeeds.
             * @enum {string}
             */
            state: "ok" | "failing" | "down" | "disabled";
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The first failure since the last success. Null if the last attempt succeeded.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was disabled. Null if it is enabled.
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt or probe is made. Null if no delivery is pending, or the endpoint is disabled.
             */
            next_attempt_at: string | null;
            /** @description The status of its last response. Null if nothing was sent yet, or it did not respond in 10 seconds. */
            last_status: number | null;
        };
        /**
         * @description - `webhook_endpoint.created`: A webhook endpoint was created. It receives the events after this one.
         *     - `webhook_endpoint.deleted`: A webhook endpoint was deleted.
         *     - `webhook_endpoint.disabled`: The service has disabled a webhook endpoint, because it responded 410 or had no success for three days. Nothing more is sent to it.
         *     - `webhook_endpoint.enabled`: A webhook endpoint that was disabled or failing was enabled. Delivery resumes at once.
         */
        WebhookEndpointEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook_endpoint.created" | "webhook_endpoint.deleted" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the webhook endpoint. */
                webhook_endpoint_id: string;
            };
        };
        /** @description A page of webhook endpoints. */
        WebhookEndpointPage: {
            /** @description The records of the page, in the order of the list. */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description The `after` of the next page. Null on the last page. */
            next: string | null;
        };
        /** @description Somebody tests an endpoint: this is posted to it, and to no other. It is in no feed. */
        WebhookEndpointTestEvent: {
            /** @description `0`, which no event of a store has. */
            id: string;
            /**
             * Format: date-time
             * @description When the test was sent.
             */
            timestamp: string;
            /** @description The store. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request that sent the test. */
            request_id: string;
            actor: components["schemas"]["Actor"];
            /**
             * @description Somebody tests an endpoint: this is posted to it, and to no other. It is in no feed.
             * @constant
             */
            type: "webhook_endpoint.test";
            /** @description The endpoint. */
            data: {
                /** @description The id of the webhook endpoint. */
                webhook_endpoint_id: string;
            };
        };
        /** @description - `webhook_endpoint.updated`: The URL, the types or the secret of a webhook endpoint has changed. A new URL is shown as `fields: ["url"]`, because URLs may contain secrets, and new types as `changes`. A new secret shows neither. */
        WebhookEndpointUpdatedEvent: {
            /** @description The number of the event in its store. The numbers have no gaps. */
            id: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            timestamp: string;
            /** @description The store. Null for events of operators. */
            store_id: string | null;
            /** @description The `X-Request-Id` of the request. Null if the service caused the event. */
            request_id: string | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description What has happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook_endpoint.updated";
            /** @description The record that the event is about. */
            data: {
                /** @description The id of the webhook endpoint. */
                webhook_endpoint_id: string;
                /** @description The names of the fields that have changed, without values. */
                fields?: string[];
                /** @description The fields that have changed, by name. */
                changes?: {
                    [key: string]: components["schemas"]["Change"];
                };
            };
        };
        /** @description A webhook endpoint with its secret. */
        WebhookEndpointWithSecret: {
            /** @description The number of the endpoint in its store. */
            id: string;
            /** @description The URL to which events are posted. */
            url: string;
            /** @description The types of events that are sent. Null: all types, including types that are added later. */
            types: (components["schemas"]["EventType"] | string)[] | null;
            /** @description Whether events are sent. False if the endpoint responded 410 or had no success for three days. */
            enabled: boolean;
            /**
             * @description `failing`: the last attempt failed. `down`: 20 attempts in a row failed, so it is only probed until one succeeds.
             * @enum {string}
             */
            state: "ok" | "failing" | "down" | "disabled";
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The first failure since the last success. Null if the last attempt succeeded.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was disabled. Null if it is enabled.
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt or probe is made. Null if no delivery is pending, or the endpoint is disabled.
             */
            next_attempt_at: string | null;
            /** @description The status of its last response. Null if nothing was sent yet, or it did not respond in 10 seconds. */
            last_status: number | null;
            /** @description The secret that signs deliveries. It is only in this response. */
            secret: string;
        };
        /** @description The result of a test. */
        WebhookTestResult: {
            /** @description The status of the response. Null if there was none. */
            status: number | null;
            /** @description How long it took, in milliseconds. */
            duration_ms: number;
            /** @description `timeout`: no response within 10 seconds. `unreachable`: no connection. Null if there was a response. */
            failure: ("timeout" | "unreachable") | null;
        };
    };
    responses: {
        /** @description The token as it is now. */
        AccessToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessToken"];
            };
        };
        /** @description The token, with its secret. */
        AccessTokenIssued: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IssuedAccessToken"];
            };
        };
        /** @description A page of tokens. */
        AccessTokenPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessTokenPage"];
            };
        };
        /** @description The token, with its new secret. */
        AccessTokenRotated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IssuedAccessToken"];
            };
        };
        /** @description How many tokens were revoked. */
        AccessTokensRevoked: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessTokensRevoked"];
            };
        };
        /** @description Any 2xx within 10 seconds means that the event has arrived. It is not sent again. */
        Arrived: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The result of each item. */
        BatchResults: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BatchResults"];
            };
        };
        /** @description The bulk change as it is now. */
        BulkChange: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BulkChange"];
            };
        };
        /** @description The new bulk change, or for a used key the one of then. */
        BulkChangeAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BulkChange"];
            };
        };
        /** @description A page of bulk changes. */
        BulkChangePage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BulkChangePage"];
            };
        };
        /** @description The new bulk change, whose `reverts` is the first one, or for a used key the one of then. */
        BulkChangeRevertAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BulkChange"];
            };
        };
        /** @description The operator, or the root. */
        CallingOperator: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CallingOperator"];
            };
        };
        /** @description `cursor_expired`: What follows this cursor is no longer kept. */
        CursorExpired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfField"];
            };
        };
        /** @description The field existed before. This is its current state. */
        CustomField: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CustomField"];
            };
        };
        /** @description The new field. */
        CustomFieldDefined: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CustomField"];
            };
        };
        /** @description A page of custom fields. */
        CustomFieldPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CustomFieldPage"];
            };
        };
        /** @description The operation has succeeded. The response has no body. */
        Done: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `etag_mismatch`: The record is in another state than `If-Match` names; read it again. */
        EtagMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description A page of events, the newest first. */
        EventHistoryPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventHistoryPage"];
            };
        };
        /** @description A page of events, the oldest first unless `order` is `desc`. */
        EventPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventPage"];
            };
        };
        /** @description Both respond. */
        Health: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Health"];
            };
        };
        /** @description `https_required`: Use HTTPS to call this service. */
        HttpsRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /**
         * @description `https_required`: Use HTTPS to call this service.
         *
         *     `insufficient_scope`: The access token lacks the scope of this operation.
         */
        HttpsRequiredOrInsufficientScope: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /**
         * @description `https_required`: Use HTTPS to call this service.
         *
         *     `insufficient_scope`: The access token lacks the scope of this operation.
         *
         *     `cross_site`: A browser has sent this change from another site.
         */
        HttpsRequiredOrInsufficientScopeOrCrossSite: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /**
         * @description `https_required`: Use HTTPS to call this service.
         *
         *     `store_suspended`: The store is suspended; ask its operator for the reason.
         */
        HttpsRequiredOrStoreSuspended: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /**
         * @description `https_required`: Use HTTPS to call this service.
         *
         *     `store_suspended`: The store is suspended; ask its operator for the reason.
         *
         *     `insufficient_scope`: The access token lacks the scope of this operation.
         */
        HttpsRequiredOrStoreSuspendedOrInsufficientScope: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description `internal_error`: The service failed. The request id identifies the case. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description `invalid_parameter`: A parameter is invalid. */
        InvalidParameter: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `already_exists`: This identifier is already taken.
         */
        InvalidParameterOrAlreadyExists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `already_exists`: This identifier is already taken.
         *
         *     `limit_reached`: The store has as many of these as it may have.
         */
        InvalidParameterOrAlreadyExistsOrLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `email_taken`: An account with this email already exists in the store.
         */
        InvalidParameterOrEmailTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `email_taken`: An account with this email already exists in the store.
         *
         *     `idempotency_key_reused`: This idempotency key was used with a different request.
         */
        InvalidParameterOrEmailTakenOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `idempotency_key_reused`: This idempotency key was used with a different request.
         */
        InvalidParameterOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `idempotency_key_reused`: This idempotency key was used with a different request.
         *
         *     `access_exists`: The user already has an access to this product.
         */
        InvalidParameterOrIdempotencyKeyReusedOrAccessExists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `idempotency_key_reused`: This idempotency key was used with a different request.
         *
         *     `limit_reached`: The store has as many of these as it may have.
         */
        InvalidParameterOrIdempotencyKeyReusedOrLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `idempotency_key_reused`: This idempotency key was used with a different request.
         *
         *     `limit_reached`: The store has as many of these as it may have.
         *
         *     `not_done`: The bulk change cannot be reverted: it has not ended, was reverted already, or its events are no longer kept.
         */
        InvalidParameterOrIdempotencyKeyReusedOrLimitReachedOrNotDone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `in_use`: Other records need this one.
         */
        InvalidParameterOrInUse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `not_running`: The bulk change has ended.
         */
        InvalidParameterOrNotRunning: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfFields"];
            };
        };
        /** @description `malformed_body`: The body is not a JSON object. */
        MalformedBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfField"];
            };
        };
        /**
         * @description `malformed_body`: The body is not a JSON object.
         *
         *     `invalid_header`: A header has an invalid value.
         */
        MalformedBodyOrInvalidHeader: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfField"];
            };
        };
        /**
         * @description `missing_parameter`: A required parameter is missing.
         *
         *     `malformed_body`: The body is not a JSON object.
         */
        MissingParameterOrMalformedBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfField"];
            };
        };
        /**
         * @description `missing_parameter`: A required parameter is missing.
         *
         *     `malformed_body`: The body is not a JSON object.
         *
         *     `invalid_header`: A header has an invalid value.
         */
        MissingParameterOrMalformedBodyOrInvalidHeader: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeOfField"];
            };
        };
        /**
         * @description `missing_token`: Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.
         *
         *     `invalid_token`: The access token is unknown, expired, revoked, or belongs to another store.
         */
        MissingTokenOrInvalidToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description `not_found`: There is no such record. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /**
         * @description `not_found`: There is no such record.
         *
         *     `route_not_found`: This path is not served.
         */
        NotFoundOrRouteNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description `not_found`: There is no such record. */
        NotFoundWithoutCode: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelopeWithoutCode"];
            };
        };
        /** @description For anything else, including a redirect and no response, the event is sent again after 5 s, 30 s, 2 min, 10 min, 1 h, and then every 6 h, for three days. After 20 failures in a row the endpoint is only probed, at least every 30 minutes, until an attempt succeeds. */
        NotNow: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The operator, with the token. */
        OperatorCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperatorWithToken"];
            };
        };
        /** @description A page of operators. */
        OperatorPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperatorPage"];
            };
        };
        /** @description The operator after the change. */
        OperatorUpdated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Operator"];
            };
        };
        /** @description The token. */
        OwnAccessToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OwnAccessToken"];
            };
        };
        /** @description The token, with its new secret. */
        OwnAccessTokenRotated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IssuedOwnAccessToken"];
            };
        };
        /** @description Whether it is the password. */
        PasswordVerification: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PasswordVerification"];
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The product as it is now. */
        Product: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Product"];
            };
        };
        /** @description The access as it is now. */
        ProductAccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProductAccess"];
            };
        };
        /** @description The access with its new date, or for a used key the response of then. */
        ProductAccessExtended: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProductAccess"];
            };
        };
        /** @description The new access, or for a used key the access that was granted then. */
        ProductAccessGranted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProductAccess"];
            };
        };
        /** @description A page of accesses. */
        ProductAccessPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProductAccessPage"];
            };
        };
        /** @description The accesses. */
        ProductAccessesCsv: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/csv": string;
            };
        };
        /** @description The new product. */
        ProductCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Product"];
            };
        };
        /** @description A page of products. */
        ProductPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProductPage"];
            };
        };
        /**
         * @description `https_required`: Use HTTPS to call this service.
         *
         *     `store_suspended`: The store is suspended; ask its operator for the reason.
         *
         *     `insufficient_scope`: The access token lacks the scope of this operation.
         */
        PublicHttpsRequiredOrStoreSuspendedOrInsufficientScope: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelope"];
            };
        };
        /** @description `internal_error`: The service failed. The request id identifies the case. */
        PublicInternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelope"];
            };
        };
        /**
         * @description `invalid_parameter`: A parameter is invalid.
         *
         *     `email_taken`: An account with this email already exists in the store.
         *
         *     `idempotency_key_reused`: This idempotency key was used with a different request.
         */
        PublicInvalidParameterOrEmailTakenOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelopeOfFields"];
            };
        };
        /**
         * @description `missing_parameter`: A required parameter is missing.
         *
         *     `malformed_body`: The body is not a JSON object.
         *
         *     `invalid_header`: A header has an invalid value.
         */
        PublicMissingParameterOrMalformedBodyOrInvalidHeader: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelopeOfField"];
            };
        };
        /**
         * @description `missing_token`: Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.
         *
         *     `invalid_token`: The access token is unknown, expired, revoked, or belongs to another store.
         */
        PublicMissingTokenOrInvalidToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelope"];
            };
        };
        /** @description `not_found`: There is no such record. */
        PublicNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelope"];
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        PublicPayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelope"];
            };
        };
        /** @description `rate_limited`: Too many requests; wait as Retry-After says. */
        PublicRateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelope"];
            };
        };
        /** @description `service_unavailable`: The database is temporarily unavailable; wait as Retry-After says. */
        PublicServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelope"];
            };
        };
        /** @description `unsupported_media_type`: Send the body as `Content-Type: application/json`, without a Content-Encoding. */
        PublicUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicErrorEnvelope"];
            };
        };
        /** @description The new user, or for a used key the user that was created then. */
        PublicUserCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicUser"];
            };
        };
        /** @description `rate_limited`: Too many requests; wait as Retry-After says. */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description `route_not_found`: This path is not served. */
        RouteNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description `service_unavailable`: The database is temporarily unavailable; wait as Retry-After says. */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The numbers. */
        Stats: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Stats"];
            };
        };
        /** @description The state of the service now. */
        Status: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The store as it is now. */
        Store: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Store"];
            };
        };
        /** @description The new store. */
        StoreCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Store"];
            };
        };
        /** @description A page of stores. */
        StorePage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StorePage"];
            };
        };
        /** @description `unsupported_media_type`: Send the body as `Content-Type: application/json`, without a Content-Encoding. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The endpoint no longer wants events. It is disabled. */
        Unwanted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The user as it is now. */
        User: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["User"];
            };
        };
        /** @description The result of each item. If one is 429, `Retry-After` says how long to wait. */
        UserBatchResults: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BatchResults"];
            };
        };
        /** @description The new user, or for a used key the user that was created then. */
        UserCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["User"];
            };
        };
        /** @description A page of users. */
        UserPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UserPage"];
            };
        };
        /** @description The users. */
        UsersCsv: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/csv": string;
            };
        };
        /** @description The delivery as it is now. */
        WebhookDelivery: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookDelivery"];
            };
        };
        /** @description A page of deliveries. */
        WebhookDeliveryPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookDeliveryPage"];
            };
        };
        /** @description The endpoint as it is now. */
        WebhookEndpoint: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookEndpoint"];
            };
        };
        /** @description The endpoint, with its secret. */
        WebhookEndpointCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookEndpointWithSecret"];
            };
        };
        /** @description A page of webhook endpoints. */
        WebhookEndpointPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookEndpointPage"];
            };
        };
        /** @description The endpoint, with its new secret. */
        WebhookSecretRotated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookEndpointWithSecret"];
            };
        };
        /** @description The result. */
        WebhookTestResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookTestResult"];
            };
        };
    };
    parameters: {
        /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
        "If-Match": string;
        /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
        "X-Idempotency-Key": string;
        /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
        after: string;
        /** @description The id of the event that is delivered. */
        "event_id-of-delivery": string;
        /** @description If it is `true`, the file is made for Excel: it begins with a byte order mark, cells are separated by `;` if the language of the store is ES or PT, and a `'` is put before what a spreadsheet would execute as a formula. Times are local times of the store, to the second, and an `access_due_date` that ends with a day is that day alone. If it is omitted, cells are exactly as sent, and times are instants in UTC. */
        "exportProductAccesses.spreadsheet": "true" | "false";
        /** @description If it is `true`, the file is made for Excel: it begins with a byte order mark, cells are separated by `;` if the language of the store is ES or PT, and a `'` is put before what a spreadsheet would execute as a formula. Times are local times of the store, to the second, and an `access_due_date` that ends with a day is that day alone. If it is omitted, cells are exactly as sent, and times are instants in UTC. */
        "exportUsers.spreadsheet": "true" | "false";
        /** @description How many days. */
        "getStats.days": number;
        /** @description The id of the access. The access of another store is 404. */
        "id-of-access": string;
        /** @description The id of the bulk change. */
        "id-of-bulk_change": string;
        /** @description The id of the operator. */
        "id-of-operator": string;
        /** @description The id of the product. */
        "id-of-product": string;
        /** @description The id of the access token. It is not a secret. */
        "id-of-token": string;
        /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
        "id-of-user": string;
        /** @description The id of the webhook endpoint. */
        "id-of-webhook_endpoint": string;
        /** @description The key of the custom field: 1 to 64 letters, digits, `_`, `-` and `.`. */
        key: string;
        /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
        limit: number;
        /** @description `desc` is the newest first, `asc` the oldest first. */
        "listBulkChanges.order": "asc" | "desc";
        /** @description The events that this actor has caused: `system` (the service itself), `root`, `operator:{id}` or `access_token:{id}`. One that does not exist has caused none. */
        "listEvents.actor": string;
        /** @description The id of the last event that you have: the `cursor` or `next` of the previous page. If it is omitted, the feed starts at the oldest event that is still kept (with `order=desc`, at the newest). An id before that event is 410, and an id after the newest event is 422. */
        "listEvents.after": string;
        /** @description `desc`: the newest event first; `next` is null at the oldest event that is still kept, there is no `cursor`, and no `after` is 410. If it is omitted, `asc`. */
        "listEvents.order": "asc" | "desc";
        /** @description The events of this access. */
        "listEvents.product_access_id": string;
        /** @description The events of this time or later. The page begins near it, and what is older costs nothing. Without `after` it is never 410. */
        "listEvents.since": string;
        /** @description The events of this type. */
        "listEvents.type": "user.created" | "user.updated" | "user.erased" | "product_access.granted" | "product_access.updated" | "product_access.progressed" | "product_access.expiring" | "product_access.expired" | "access_token.created" | "access_token.updated" | "access_token.rotated" | "access_token.revoked" | "store.created" | "store.updated" | "store.restored" | "product.created" | "product.updated" | "product.deleted" | "custom_field.created" | "custom_field.updated" | "custom_field.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled" | "bulk_change.created" | "bulk_change.canceled" | "bulk_change.finished" | "operator.created" | "operator.updated" | "operator.revoked";
        /** @description The events before this time. `next` is null once every later event is newer. `cursor` then stays before the first newer one, so that a request with a later `until` goes on there. */
        "listEvents.until": string;
        /** @description The events of this user and of their accesses. */
        "listEvents.user_id": string;
        /** @description The accesses of users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most. The token then needs the scope `users:read` as well. A key that the store does not define is 422. */
        "listProductAccesses.custom_fields": {
            [key: string]: string;
        };
        /** @description The accesses whose due date is this or later. */
        "listProductAccesses.due_after": string;
        /** @description The accesses whose due date is earlier than this. Accesses without a limit do not match. */
        "listProductAccesses.due_before": string;
        /** @description The accesses with these ids: 1 to 100, separated by commas. */
        "listProductAccesses.ids": string;
        /** @description `true`: the accesses that are in force now: their status is `with_access`, and their due date has not passed. `false`: all others. */
        "listProductAccesses.in_force": "true" | "false";
        /** @description `desc`: the newest first. If it is omitted, `asc`. */
        "listProductAccesses.order": "asc" | "desc";
        /** @description The accesses to this product. */
        "listProductAccesses.product_id": string;
        /** @description The accesses with this status. */
        "listProductAccesses.status": "with_access" | "without_access";
        /** @description The accesses of this user. */
        "listProductAccesses.user_id": string;
        /** @description The accesses of these users: 1 to 100 ids, separated by commas. */
        "listProductAccesses.user_ids": string;
        /** @description The product with this slug: one product or none. */
        "listProducts.slug": string;
        /** @description The users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most, not together with `q`. A key that the store does not define is 422. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue. */
        "listUsers.custom_fields": {
            [key: string]: string;
        };
        /** @description The user with this email, in any letter case: one user or none. */
        "listUsers.email": string;
        /** @description The users with this id in your own system. */
        "listUsers.external_id": string;
        /** @description The users with these ids: 1 to 100, separated by commas. */
        "listUsers.ids": string;
        /** @description `desc`: the newest first. If it is omitted, `asc`. It cannot be combined with `q`. */
        "listUsers.order": "asc" | "desc";
        /** @description A search for a person, by anything you would type in a search box: 1 to 5 words, separated by blanks or commas. Each word, in any order, must be part of the name, the last name or the email, ignoring case, accents and invisible characters, or the beginning of `external_id`. All apostrophes are the same, and all hyphens and dashes. If `q` has nothing but digits, blanks, dashes and `+ - ( ) . /`, it is a phone as well: zeros at its beginning and a `(0)` do not count, and with at least four other digits it also finds the users whose phone contains them or, if both have eight, ends with the same eight. Users whose email starts with `q` come first, by email, then the others, by id. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue. */
        "listUsers.q": string;
        /** @description `asc`: the oldest event first. If it is omitted, `desc`. */
        "listWebhookDeliveries.order": "asc" | "desc";
        /** @description The deliveries in this state. One request reads at most 5,000 deliveries: a page may be short or empty while `next` says where to continue. */
        "listWebhookDeliveries.state": "pending" | "delivered" | "failed";
        /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
        store_id: string;
        /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
        "webhook-id": string;
        /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
        "webhook-signature": string;
        /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
        "webhook-timestamp": string;
    };
    requestBodies: {
        CreateAccessToken: {
            content: {
                "application/json": components["schemas"]["CreateAccessToken"];
            };
        };
        CreateBulkChange: {
            content: {
                "application/json": components["schemas"]["CreateBulkChange"];
            };
        };
        CreateOperator: {
            content: {
                "application/json": components["schemas"]["CreateOperator"];
            };
        };
        CreateProduct: {
            content: {
                "application/json": components["schemas"]["CreateProduct"];
            };
        };
        CreatePublicUser: {
            content: {
                "application/json": components["schemas"]["CreatePublicUser"];
            };
        };
        CreateStore: {
            content: {
                "application/json": components["schemas"]["CreateStore"];
            };
        };
        CreateUser: {
            content: {
                "application/json": components["schemas"]["CreateUser"];
            };
        };
        CreateUsers: {
            content: {
                "application/json": components["schemas"]["CreateUsers"];
            };
        };
        CreateWebhookEndpoint: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        ExtendProductAccess: {
            content: {
                "application/json": components["schemas"]["ExtendProductAccess"];
            };
        };
        GrantProductAccess: {
            content: {
                "application/json": components["schemas"]["GrantProductAccess"];
            };
        };
        GrantProductAccesses: {
            content: {
                "application/json": components["schemas"]["GrantProductAccesses"];
            };
        };
        NoFields: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        PutCustomField: {
            content: {
                "application/json": components["schemas"]["PutCustomField"];
            };
        };
        RecordProgress: {
            content: {
                "application/json": components["schemas"]["RecordProgress"];
            };
        };
        RotateAccessToken: {
            content: {
                "application/json": components["schemas"]["RotateAccessToken"];
            };
        };
        RotateToken: {
            content: {
                "application/json": components["schemas"]["RotateToken"];
            };
        };
        RotateWebhookSecret: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        UpdateAccessToken: {
            content: {
                "application/json": components["schemas"]["UpdateAccessToken"];
            };
        };
        UpdateOperator: {
            content: {
                "application/json": components["schemas"]["UpdateOperator"];
            };
        };
        UpdateProduct: {
            content: {
                "application/json": components["schemas"]["UpdateProduct"];
            };
        };
        UpdateProductAccess: {
            content: {
                "application/json": components["schemas"]["UpdateProductAccess"];
            };
        };
        UpdateStore: {
            content: {
                "application/json": components["schemas"]["UpdateStore"];
            };
        };
        UpdateUser: {
            content: {
                "application/json": components["schemas"]["UpdateUser"];
            };
        };
        UpdateWebhookEndpoint: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        VerifyPassword: {
            content: {
                "application/json": components["schemas"]["VerifyPassword"];
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPublicUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreatePublicUser"];
        responses: {
            201: components["responses"]["PublicUserCreated"];
            400: components["responses"]["PublicMissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["PublicMissingTokenOrInvalidToken"];
            403: components["responses"]["PublicHttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["PublicNotFound"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            422: components["responses"]["PublicInvalidParameterOrEmailTakenOrIdempotencyKeyReused"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description The user with this email, in any letter case: one user or none. */
                email?: components["parameters"]["listUsers.email"];
                /** @description The users with this id in your own system. */
                external_id?: components["parameters"]["listUsers.external_id"];
                /** @description The users with these ids: 1 to 100, separated by commas. */
                ids?: components["parameters"]["listUsers.ids"];
                /** @description A search for a person, by anything you would type in a search box: 1 to 5 words, separated by blanks or commas. Each word, in any order, must be part of the name, the last name or the email, ignoring case, accents and invisible characters, or the beginning of `external_id`. All apostrophes are the same, and all hyphens and dashes. If `q` has nothing but digits, blanks, dashes and `+ - ( ) . /`, it is a phone as well: zeros at its beginning and a `(0)` do not count, and with at least four other digits it also finds the users whose phone contains them or, if both have eight, ends with the same eight. Users whose email starts with `q` come first, by email, then the others, by id. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue. */
                q?: components["parameters"]["listUsers.q"];
                /** @description The users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most, not together with `q`. A key that the store does not define is 422. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue. */
                custom_fields?: components["parameters"]["listUsers.custom_fields"];
                /** @description `desc`: the newest first. If it is omitted, `asc`. It cannot be combined with `q`. */
                order?: components["parameters"]["listUsers.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateUser"];
        responses: {
            201: components["responses"]["UserCreated"];
            400: components["responses"]["MissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrEmailTakenOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsersAsOperator: {
        parameters: {
            query?: {
                /** @description The user with this email, in any letter case: one user or none. */
                email?: components["parameters"]["listUsers.email"];
                /** @description The users with this id in your own system. */
                external_id?: components["parameters"]["listUsers.external_id"];
                /** @description The users with these ids: 1 to 100, separated by commas. */
                ids?: components["parameters"]["listUsers.ids"];
                /** @description A search for a person, by anything you would type in a search box: 1 to 5 words, separated by blanks or commas. Each word, in any order, must be part of the name, the last name or the email, ignoring case, accents and invisible characters, or the beginning of `external_id`. All apostrophes are the same, and all hyphens and dashes. If `q` has nothing but digits, blanks, dashes and `+ - ( ) . /`, it is a phone as well: zeros at its beginning and a `(0)` do not count, and with at least four other digits it also finds the users whose phone contains them or, if both have eight, ends with the same eight. Users whose email starts with `q` come first, by email, then the others, by id. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue. */
                q?: components["parameters"]["listUsers.q"];
                /** @description The users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most, not together with `q`. A key that the store does not define is 422. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue. */
                custom_fields?: components["parameters"]["listUsers.custom_fields"];
                /** @description `desc`: the newest first. If it is omitted, `asc`. It cannot be combined with `q`. */
                order?: components["parameters"]["listUsers.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUserAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateUser"];
        responses: {
            201: components["responses"]["UserCreated"];
            400: components["responses"]["MissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrEmailTakenOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
                id: components["parameters"]["id-of-user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["User"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
                id: components["parameters"]["id-of-user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
                id: components["parameters"]["id-of-user"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["UpdateUser"];
        responses: {
            200: components["responses"]["User"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrEmailTaken"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
                id: components["parameters"]["id-of-user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["User"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseUserAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
                id: components["parameters"]["id-of-user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUserAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
                id: components["parameters"]["id-of-user"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["UpdateUser"];
        responses: {
            200: components["responses"]["User"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrEmailTaken"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["VerifyPassword"];
        responses: {
            200: components["responses"]["PasswordVerification"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyPasswordAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["VerifyPassword"];
        responses: {
            200: components["responses"]["PasswordVerification"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProductAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProductAccess"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProductAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["UpdateProductAccess"];
        responses: {
            201: components["responses"]["ProductAccess"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFoundWithoutCode"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordProgress: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RecordProgress"];
        responses: {
            200: components["responses"]["ProductAccess"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProductAccessAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProductAccess"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProductAccessAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["UpdateProductAccess"];
        responses: {
            201: components["responses"]["ProductAccess"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordProgressAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RecordProgress"];
        responses: {
            200: components["responses"]["ProductAccess"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProductAccesses: {
        parameters: {
            query?: {
                /** @description The accesses with these ids: 1 to 100, separated by commas. */
                ids?: components["parameters"]["listProductAccesses.ids"];
                /** @description The accesses of these users: 1 to 100 ids, separated by commas. */
                user_ids?: components["parameters"]["listProductAccesses.user_ids"];
                /** @description The accesses of users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most. The token then needs the scope `users:read` as well. A key that the store does not define is 422. */
                custom_fields?: components["parameters"]["listProductAccesses.custom_fields"];
                /** @description The accesses of this user. */
                user_id?: components["parameters"]["listProductAccesses.user_id"];
                /** @description The accesses to this product. */
                product_id?: components["parameters"]["listProductAccesses.product_id"];
                /** @description The accesses with this status. */
                status?: components["parameters"]["listProductAccesses.status"];
                /** @description `true`: the accesses that are in force now: their status is `with_access`, and their due date has not passed. `false`: all others. */
                in_force?: components["parameters"]["listProductAccesses.in_force"];
                /** @description The accesses whose due date is this or later. */
                due_after?: components["parameters"]["listProductAccesses.due_after"];
                /** @description The accesses whose due date is earlier than this. Accesses without a limit do not match. */
                due_before?: components["parameters"]["listProductAccesses.due_before"];
                /** @description `desc`: the newest first. If it is omitted, `asc`. */
                order?: components["parameters"]["listProductAccesses.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProductAccessPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    grantProductAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["GrantProductAccess"];
        responses: {
            201: components["responses"]["ProductAccessGranted"];
            400: components["responses"]["MissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrIdempotencyKeyReusedOrAccessExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProductAccessesAsOperator: {
        parameters: {
            query?: {
                /** @description The accesses with these ids: 1 to 100, separated by commas. */
                ids?: components["parameters"]["listProductAccesses.ids"];
                /** @description The accesses of these users: 1 to 100 ids, separated by commas. */
                user_ids?: components["parameters"]["listProductAccesses.user_ids"];
                /** @description The accesses of users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most. The token then needs the scope `users:read` as well. A key that the store does not define is 422. */
                custom_fields?: components["parameters"]["listProductAccesses.custom_fields"];
                /** @description The accesses of this user. */
                user_id?: components["parameters"]["listProductAccesses.user_id"];
                /** @description The accesses to this product. */
                product_id?: components["parameters"]["listProductAccesses.product_id"];
                /** @description The accesses with this status. */
                status?: components["parameters"]["listProductAccesses.status"];
                /** @description `true`: the accesses that are in force now: their status is `with_access`, and their due date has not passed. `false`: all others. */
                in_force?: components["parameters"]["listProductAccesses.in_force"];
                /** @description The accesses whose due date is this or later. */
                due_after?: components["parameters"]["listProductAccesses.due_after"];
                /** @description The accesses whose due date is earlier than this. Accesses without a limit do not match. */
                due_before?: components["parameters"]["listProductAccesses.due_before"];
                /** @description `desc`: the newest first. If it is omitted, `asc`. */
                order?: components["parameters"]["listProductAccesses.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProductAccessPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    grantProductAccessAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["GrantProductAccess"];
        responses: {
            201: components["responses"]["ProductAccessGranted"];
            400: components["responses"]["MissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrIdempotencyKeyReusedOrAccessExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    extendProductAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ExtendProductAccess"];
        responses: {
            200: components["responses"]["ProductAccessExtended"];
            400: components["responses"]["MissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    extendProductAccessAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
                /** @description One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ExtendProductAccess"];
        responses: {
            200: components["responses"]["ProductAccessExtended"];
            400: components["responses"]["MissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            412: components["responses"]["EtagMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUsers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateUsers"];
        responses: {
            200: components["responses"]["UserBatchResults"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUsersAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateUsers"];
        responses: {
            200: components["responses"]["UserBatchResults"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    grantProductAccesses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["GrantProductAccesses"];
        responses: {
            200: components["responses"]["BatchResults"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    grantProductAccessesAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["GrantProductAccesses"];
        responses: {
            200: components["responses"]["BatchResults"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBulkChanges: {
        parameters: {
            query?: {
                /** @description `desc` is the newest first, `asc` the oldest first. */
                order?: components["parameters"]["listBulkChanges.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BulkChangePage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createBulkChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateBulkChange"];
        responses: {
            202: components["responses"]["BulkChangeAccepted"];
            400: components["responses"]["MissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrIdempotencyKeyReusedOrLimitReached"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBulkChangesAsOperator: {
        parameters: {
            query?: {
                /** @description `desc` is the newest first, `asc` the oldest first. */
                order?: components["parameters"]["listBulkChanges.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BulkChangePage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createBulkChangeAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateBulkChange"];
        responses: {
            202: components["responses"]["BulkChangeAccepted"];
            400: components["responses"]["MissingParameterOrMalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrIdempotencyKeyReusedOrLimitReached"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBulkChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the bulk change. */
                id: components["parameters"]["id-of-bulk_change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BulkChange"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBulkChangeAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the bulk change. */
                id: components["parameters"]["id-of-bulk_change"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BulkChange"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelBulkChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the bulk change. */
                id: components["parameters"]["id-of-bulk_change"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["BulkChange"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrNotRunning"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelBulkChangeAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the bulk change. */
                id: components["parameters"]["id-of-bulk_change"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["BulkChange"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrNotRunning"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revertBulkChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the bulk change. */
                id: components["parameters"]["id-of-bulk_change"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            202: components["responses"]["BulkChangeRevertAccepted"];
            400: components["responses"]["MalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrIdempotencyKeyReusedOrLimitReachedOrNotDone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revertBulkChangeAsOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header. */
                "X-Idempotency-Key"?: components["parameters"]["X-Idempotency-Key"];
            };
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the bulk change. */
                id: components["parameters"]["id-of-bulk_change"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            202: components["responses"]["BulkChangeRevertAccepted"];
            400: components["responses"]["MalformedBodyOrInvalidHeader"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrIdempotencyKeyReusedOrLimitReachedOrNotDone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                /** @description The user with this email, in any letter case: one user or none. */
                email?: components["parameters"]["listUsers.email"];
                /** @description The users with this id in your own system. */
                external_id?: components["parameters"]["listUsers.external_id"];
                /** @description The users with these ids: 1 to 100, separated by commas. */
                ids?: components["parameters"]["listUsers.ids"];
                /** @description A search for a person, by anything you would type in a search box: 1 to 5 words, separated by blanks or commas. Each word, in any order, must be part of the name, the last name or the email, ignoring case, accents and invisible characters, or the beginning of `external_id`. All apostrophes are the same, and all hyphens and dashes. If `q` has nothing but digits, blanks, dashes and `+ - ( ) . /`, it is a phone as well: zeros at its beginning and a `(0)` do not count, and with at least four other digits it also finds the users whose phone contains them or, if both have eight, ends with the same eight. Users whose email starts with `q` come first, by email, then the others, by id. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue. */
                q?: components["parameters"]["listUsers.q"];
                /** @description The users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most, not together with `q`. A key that the store does not define is 422. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue. */
                custom_fields?: components["parameters"]["listUsers.custom_fields"];
                /** @description If it is `true`, the file is made for Excel: it begins with a byte order mark, cells are separated by `;` if the language of the store is ES or PT, and a `'` is put before what a spreadsheet would execute as a formula. Times are local times of the store, to the second, and an `access_due_date` that ends with a day is that day alone. If it is omitted, cells are exactly as sent, and times are instants in UTC. */
                spreadsheet?: components["parameters"]["exportUsers.spreadsheet"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UsersCsv"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportProductAccesses: {
        parameters: {
            query?: {
                /** @description The accesses with these ids: 1 to 100, separated by commas. */
                ids?: components["parameters"]["listProductAccesses.ids"];
                /** @description The accesses of these users: 1 to 100 ids, separated by commas. */
                user_ids?: components["parameters"]["listProductAccesses.user_ids"];
                /** @description The accesses of users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most. The token then needs the scope `users:read` as well. A key that the store does not define is 422. */
                custom_fields?: components["parameters"]["listProductAccesses.custom_fields"];
                /** @description The accesses of this user. */
                user_id?: components["parameters"]["listProductAccesses.user_id"];
                /** @description The accesses to this product. */
                product_id?: components["parameters"]["listProductAccesses.product_id"];
                /** @description The accesses with this status. */
                status?: components["parameters"]["listProductAccesses.status"];
                /** @description `true`: the accesses that are in force now: their status is `with_access`, and their due date has not passed. `false`: all others. */
                in_force?: components["parameters"]["listProductAccesses.in_force"];
                /** @description The accesses whose due date is this or later. */
                due_after?: components["parameters"]["listProductAccesses.due_after"];
                /** @description The accesses whose due date is earlier than this. Accesses without a limit do not match. */
                due_before?: components["parameters"]["listProductAccesses.due_before"];
                /** @description If it is `true`, the file is made for Excel: it begins with a byte order mark, cells are separated by `;` if the language of the store is ES or PT, and a `'` is put before what a spreadsheet would execute as a formula. Times are local times of the store, to the second, and an `access_due_date` that ends with a day is that day alone. If it is omitted, cells are exactly as sent, and times are instants in UTC. */
                spreadsheet?: components["parameters"]["exportProductAccesses.spreadsheet"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProductAccessesCsv"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The events of this type. */
                type?: components["parameters"]["listEvents.type"];
                /** @description The events of this user and of their accesses. */
                user_id?: components["parameters"]["listEvents.user_id"];
                /** @description The events of this access. */
                product_access_id?: components["parameters"]["listEvents.product_access_id"];
                /** @description The events that this actor has caused: `system` (the service itself), `root`, `operator:{id}` or `access_token:{id}`. One that does not exist has caused none. */
                actor?: components["parameters"]["listEvents.actor"];
                /** @description The events of this time or later. The page begins near it, and what is older costs nothing. Without `after` it is never 410. */
                since?: components["parameters"]["listEvents.since"];
                /** @description The events before this time. `next` is null once every later event is newer. `cursor` then stays before the first newer one, so that a request with a later `until` goes on there. */
                until?: components["parameters"]["listEvents.until"];
                /** @description `desc`: the newest event first; `next` is null at the oldest event that is still kept, there is no `cursor`, and no `after` is 410. If it is omitted, `asc`. */
                order?: components["parameters"]["listEvents.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description The id of the last event that you have: the `cursor` or `next` of the previous page. If it is omitted, the feed starts at the oldest event that is still kept (with `order=desc`, at the newest). An id before that event is 410, and an id after the newest event is 422. */
                after?: components["parameters"]["listEvents.after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventsAsOperator: {
        parameters: {
            query?: {
                /** @description The events of this type. */
                type?: components["parameters"]["listEvents.type"];
                /** @description The events of this user and of their accesses. */
                user_id?: components["parameters"]["listEvents.user_id"];
                /** @description The events of this access. */
                product_access_id?: components["parameters"]["listEvents.product_access_id"];
                /** @description The events that this actor has caused: `system` (the service itself), `root`, `operator:{id}` or `access_token:{id}`. One that does not exist has caused none. */
                actor?: components["parameters"]["listEvents.actor"];
                /** @description The events of this time or later. The page begins near it, and what is older costs nothing. Without `after` it is never 410. */
                since?: components["parameters"]["listEvents.since"];
                /** @description The events before this time. `next` is null once every later event is newer. `cursor` then stays before the first newer one, so that a request with a later `until` goes on there. */
                until?: components["parameters"]["listEvents.until"];
                /** @description `desc`: the newest event first; `next` is null at the oldest event that is still kept, there is no `cursor`, and no `after` is 410. If it is omitted, `asc`. */
                order?: components["parameters"]["listEvents.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description The id of the last event that you have: the `cursor` or `next` of the previous page. If it is omitted, the feed starts at the oldest event that is still kept (with `order=desc`, at the newest). An id before that event is 410, and an id after the newest event is 422. */
                after?: components["parameters"]["listEvents.after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUserEvents: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
                id: components["parameters"]["id-of-user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventHistoryPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUserEventsAsOperator: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the user, as v1 shows it. Ids are unique only within a store. */
                id: components["parameters"]["id-of-user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventHistoryPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProductAccessEvents: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventHistoryPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProductAccessEventsAsOperator: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access. The access of another store is 404. */
                id: components["parameters"]["id-of-access"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventHistoryPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOperatorEvents: {
        parameters: {
            query?: {
                /** @description The events of this type. */
                type?: components["parameters"]["listEvents.type"];
                /** @description The events of this user and of their accesses. */
                user_id?: components["parameters"]["listEvents.user_id"];
                /** @description The events of this access. */
                product_access_id?: components["parameters"]["listEvents.product_access_id"];
                /** @description The events that this actor has caused: `system` (the service itself), `root`, `operator:{id}` or `access_token:{id}`. One that does not exist has caused none. */
                actor?: components["parameters"]["listEvents.actor"];
                /** @description The events of this time or later. The page begins near it, and what is older costs nothing. Without `after` it is never 410. */
                since?: components["parameters"]["listEvents.since"];
                /** @description The events before this time. `next` is null once every later event is newer. `cursor` then stays before the first newer one, so that a request with a later `until` goes on there. */
                until?: components["parameters"]["listEvents.until"];
                /** @description `desc`: the newest event first; `next` is null at the oldest event that is still kept, there is no `cursor`, and no `after` is 410. If it is omitted, `asc`. */
                order?: components["parameters"]["listEvents.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description The id of the last event that you have: the `cursor` or `next` of the previous page. If it is omitted, the feed starts at the oldest event that is still kept (with `order=desc`, at the newest). An id before that event is 410, and an id after the newest event is 422. */
                after?: components["parameters"]["listEvents.after"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["RouteNotFound"];
            410: components["responses"]["CursorExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OwnAccessToken"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["RotateToken"];
        responses: {
            200: components["responses"]["OwnAccessTokenRotated"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspended"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAccessTokens: {
        parameters: {
            query?: {
                /** @description `desc`: the newest first. If it is omitted, `asc`. */
                order?: components["parameters"]["listProductAccesses.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccessTokenPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateAccessToken"];
        responses: {
            201: components["responses"]["AccessTokenIssued"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access token. It is not a secret. */
                id: components["parameters"]["id-of-token"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access token. It is not a secret. */
                id: components["parameters"]["id-of-token"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateAccessToken"];
        responses: {
            200: components["responses"]["AccessToken"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the access token. It is not a secret. */
                id: components["parameters"]["id-of-token"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["RotateAccessToken"];
        responses: {
            200: components["responses"]["AccessTokenRotated"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeAllAccessTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["AccessTokensRevoked"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listStores: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StorePage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["RouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createStore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateStore"];
        responses: {
            201: components["responses"]["StoreCreated"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["RouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Store"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateStore"];
        responses: {
            200: components["responses"]["Store"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description How many days. */
                days?: components["parameters"]["getStats.days"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Stats"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The key of the custom field: 1 to 64 letters, digits, `_`, `-` and `.`. */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["PutCustomField"];
        responses: {
            200: components["responses"]["CustomField"];
            201: components["responses"]["CustomFieldDefined"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The key of the custom field: 1 to 64 letters, digits, `_`, `-` and `.`. */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustomFields: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CustomFieldPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustomFieldsAsOperator: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CustomFieldPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProductsAsOperator: {
        parameters: {
            query?: {
                /** @description The product with this slug: one product or none. */
                slug?: components["parameters"]["listProducts.slug"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProductPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateProduct"];
        responses: {
            201: components["responses"]["ProductCreated"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description The product with this slug: one product or none. */
                slug?: components["parameters"]["listProducts.slug"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProductPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the product. */
                id: components["parameters"]["id-of-product"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrInUse"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the product. */
                id: components["parameters"]["id-of-product"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateProduct"];
        responses: {
            200: components["responses"]["Product"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookEndpointPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateWebhookEndpoint"];
        responses: {
            201: components["responses"]["WebhookEndpointCreated"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExistsOrLimitReached"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpointsAsOperator: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookEndpointPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpointAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateWebhookEndpoint"];
        responses: {
            201: components["responses"]["WebhookEndpointCreated"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExistsOrLimitReached"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookEndpoint"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateWebhookEndpoint"];
        responses: {
            200: components["responses"]["WebhookEndpoint"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpointAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookEndpoint"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpointAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookEndpointAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateWebhookEndpoint"];
        responses: {
            200: components["responses"]["WebhookEndpoint"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["RotateWebhookSecret"];
        responses: {
            200: components["responses"]["WebhookSecretRotated"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecretAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["RotateWebhookSecret"];
        responses: {
            200: components["responses"]["WebhookSecretRotated"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enableWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["WebhookEndpoint"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enableWebhookEndpointAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["WebhookEndpoint"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["WebhookTestResult"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpointAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["WebhookTestResult"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The deliveries in this state. One request reads at most 5,000 deliveries: a page may be short or empty while `next` says where to continue. */
                state?: components["parameters"]["listWebhookDeliveries.state"];
                /** @description `asc`: the oldest event first. If it is omitted, `desc`. */
                order?: components["parameters"]["listWebhookDeliveries.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookDeliveryPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveriesAsOperator: {
        parameters: {
            query?: {
                /** @description The deliveries in this state. One request reads at most 5,000 deliveries: a page may be short or empty while `next` says where to continue. */
                state?: components["parameters"]["listWebhookDeliveries.state"];
                /** @description `asc`: the oldest event first. If it is omitted, `desc`. */
                order?: components["parameters"]["listWebhookDeliveries.order"];
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookDeliveryPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
                /** @description The id of the event that is delivered. */
                event_id: components["parameters"]["event_id-of-delivery"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["WebhookDelivery"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrStoreSuspendedOrInsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverEventAsOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`. */
                store_id: components["parameters"]["store_id"];
                /** @description The id of the webhook endpoint. */
                id: components["parameters"]["id-of-webhook_endpoint"];
                /** @description The id of the event that is delivered. */
                event_id: components["parameters"]["event_id-of-delivery"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NoFields"];
        responses: {
            200: components["responses"]["WebhookDelivery"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOperators: {
        parameters: {
            query?: {
                /** @description The maximum number of records on the page. A page may have fewer while `next` says where to continue. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning. */
                after?: components["parameters"]["after"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OperatorPage"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["RouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CreateOperator"];
        responses: {
            201: components["responses"]["OperatorCreated"];
            400: components["responses"]["MissingParameterOrMalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["RouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the operator. */
                id: components["parameters"]["id-of-operator"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the operator. */
                id: components["parameters"]["id-of-operator"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["UpdateOperator"];
        responses: {
            200: components["responses"]["OperatorUpdated"];
            400: components["responses"]["MalformedBody"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScopeOrCrossSite"];
            404: components["responses"]["NotFoundOrRouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameterOrAlreadyExists"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCallingOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CallingOperator"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["RouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Health"];
            403: components["responses"]["HttpsRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Status"];
            401: components["responses"]["MissingTokenOrInvalidToken"];
            403: components["responses"]["HttpsRequiredOrInsufficientScope"];
            404: components["responses"]["RouteNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidParameter"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveWebhookEndpointTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointTestEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveUserCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveUserErased: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveUserUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveProductAccessGranted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductAccessEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveProductAccessExpiring: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductAccessEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveProductAccessExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductAccessEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveProductAccessUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductAccessUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveProductAccessProgressed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductAccessProgressedEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveAccessTokenCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessTokenEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveAccessTokenRotated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessTokenEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveAccessTokenRevoked: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessTokenEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveAccessTokenUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessTokenUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveStoreCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreLifecycleEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveStoreRestored: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreLifecycleEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveStoreUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveProductCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveProductDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveProductUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveCustomFieldCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomFieldEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveCustomFieldDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomFieldEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveCustomFieldUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomFieldUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveWebhookEndpointCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveWebhookEndpointDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveWebhookEndpointDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveWebhookEndpointEnabled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveWebhookEndpointUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveBulkChangeCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkChangeEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveBulkChangeCanceled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkChangeEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
    receiveBulkChangeFinished: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since the epoch. Reject a request that is minutes old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkChangeEvent"];
            };
        };
        responses: {
            410: components["responses"]["Unwanted"];
            "2XX": components["responses"]["Arrived"];
            default: components["responses"]["NotNow"];
        };
    };
}
