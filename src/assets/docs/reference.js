SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // A token goes when the page does: the browser keeps it in no storage.
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
})
