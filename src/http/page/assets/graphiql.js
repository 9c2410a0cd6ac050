// Starts GraphiQL with what the page says.
const { workers, ...settings } = JSON.parse(document.getElementById('settings').textContent);
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), settings);
