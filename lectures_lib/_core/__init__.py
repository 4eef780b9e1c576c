"""What several topics share: conventions, validation, moments."""
