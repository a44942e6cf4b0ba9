create table user (id text primary key not null, name text not null, email text not null unique, emailVerified integer not null, image text, createdAt date not null, updatedAt date not null);
create table session (id text primary key not null, expiresAt date not null, token text not null unique, createdAt date not null, updatedAt date not null, ipAddress text, userAgent text, userId text not null references user (id) on delete cascade);
create index session_userId on session (userId);
create table account (id text primary key not null, accountId text not null, providerId text not null, issuer text, userId text not null references user (id) on delete cascade, accessToken text, refreshToken text, idToken text, accessTokenExpiresAt date, refreshTokenExpiresAt date, scope text, password text, createdAt date not null, updatedAt date not null);
create index account_userId on account (userId);
create table verification (id text primary key not null, identifier text not null, value text not null, expiresAt date not null, createdAt date not null, updatedAt date not null);
create index verification_identifier on verification (identifier);
